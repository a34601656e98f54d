import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { requestOf } from '../../conformance/deployment/account.ts'
import { readContract } from '../../conformance/wire/contract.ts'
import { Ground, type RunningParley } from '../../server/ground-testing.ts'
import { untilParked } from '../../server/process-testing.ts'
import { type Answer, type ApiClient, basic, type Dialect, onEachDatabase } from '../../server/testing.ts'

const ENDED = '401 REALM_DEACTIVATED'
const FAR_AWAY = 2_082_787_200
const said = ({ status, body }: Answer): string => `${status} ${body.code ?? body.result}`

const listen = (by: ApiClient, event_types: readonly string[]) =>
  by.must('POST', '/register', { event_types, fetch_event_types: [] })

async function started(t: TestContext, dialect: Dialect): Promise<RunningParley & { readonly ground: Ground }> {
  const ground = await Ground.make(t, dialect, { hasDevelopmentLogin: true })
  return { ...(await ground.start()), ground }
}

onEachDatabase('a deactivated organization', (dialect) => {
  test('is announced to clients, refuses requests, and continues after an operator reactivates it (DIFF-DEACTIVATION)', async (t) => {
    const server = await started(t, dialect)
    const { ground } = server
    const [owner, admin, member, guest] = ['owner', 'admin', 'member', 'guest'].map(server.as) as [
      ApiClient,
      ApiClient,
      ApiClient,
      ApiClient,
    ]
    const { invite_link } = await owner.must('POST', '/invites/multiuse', { stream_ids: [] })
    const hasForm = async () => (await (await fetch(invite_link)).text()).includes('<form')
    assert.ok(await hasForm())
    const [ofRealm, ofOthers] = [await listen(guest, ['realm']), await listen(member, ['message'])]
    const polls = [guest.get('/events', ofRealm), member.get('/events', ofOthers)]
    await untilParked(server.url, 2)
    assert.equal(said(await owner.post('/realm/deactivate')), '200 success')
    const [told, refused] = (await Promise.all(polls)) as [Answer, Answer]
    assert.deepEqual(
      told.body.events.map(({ id, ...event }: { id: number }) => event),
      [{ type: 'realm', op: 'deactivated', realm_id: 1 }],
    )
    assert.equal(said(refused), ENDED)
    // Applies whether the server has the account in memory or not.
    for (const who of [owner, admin, member, guest, server.as('moderator'), server.as('bot')]) {
      assert.equal(said(await who.get('/users/me')), ENDED)
      assert.equal(said(await who.post('/messages', { type: 'direct', to: [guest.userId], content: 'x' })), ENDED)
    }
    assert.equal(said(await owner.post('/realm/deactivate')), ENDED)
    assert.equal(said(await member.get('/events', ofOthers)), ENDED)
    assert.equal(said(await guest.get('/server_settings')), '200 success')
    assert.equal(await hasForm(), false)

    await ground.run('reactivate-organization')
    assert.ok(await hasForm())
    const to = [member.userId]
    await guest.must('POST', '/messages', { type: 'direct', to, content: 'Here again.' })
    const { events } = await member.must('GET', '/events', { ...ofOthers, dont_block: true })
    assert.deepEqual(
      events.map(({ message }: { message: { content: string } }) => message.content),
      ['Here again.'],
    )
  })

  test('remains deactivated after a restart, also for processes that start meanwhile', async (t) => {
    const { parley, ground } = await started(t, dialect)
    await ground.run('deactivate-organization')
    await ground.run('deactivate-organization')
    await parley.stop()
    const again = await ground.start()
    assert.equal(said(await again.as('member').get('/users/me')), ENDED)
    await again.parley.stop()
    await ground.run('reactivate-organization')
    const last = await ground.start()
    assert.equal(said(await last.as('member').get('/users/me')), '200 success')
  })

  test('every operation answers REALM_DEACTIVATED', async (t) => {
    const server = await started(t, dialect)
    const { url } = server
    const [owner, member] = [server.as('owner'), server.as('member')]
    const password = 'correct horse battery'
    await owner.must('POST', '/users', { email: 'lou@example.com', full_name: 'Lou', password })
    const { invite_link } = await owner.must('POST', '/invites/multiuse', { invite_expires_in_minutes: null })
    const newcomer = { email: 'late@example.com', full_name: 'Late', password }
    const inputs: Readonly<Record<string, object>> = {
      'fetch-api-key': { username: 'lou@example.com', password },
      'dev-fetch-api-key': { username: member.email },
      'accept-invitation': { ...newcomer, invite_key: String(invite_link).split('/').at(-1) },
    }
    const { operations } = readContract()
    const listed = [...operations.values()].filter(({ errors }) =>
      errors.some((one) => one.code === 'REALM_DEACTIVATED'),
    )
    assert.ok(listed.length > 100)
    await owner.must('POST', '/realm/deactivate')
    const others: string[] = []
    for (const operation of listed) {
      const { method, path, form = [] } = requestOf(operation, (inputs[operation.id] ?? {}) as Record<string, string>)
      const body = new URLSearchParams(form as [string, string][])
      const headers = { Authorization: basic(member.email, member.apiKey) }
      const answer = await fetch(url + path, { method, headers, ...(form.length > 0 && { body }) })
      const { code } = (await answer.json()) as { code?: string }
      if (`${answer.status} ${code}` !== ENDED) others.push(`${operation.id}: ${answer.status} ${code}`)
    }
    assert.deepEqual(others, [])
    const forgery = new Headers({ Authorization: basic(member.email, 'x'.repeat(32)) })
    const forged = await fetch(`${url}/api/v1/users/me`, { headers: forgery })
    assert.equal(((await forged.json()) as { code: string }).code, 'INVALID_API_KEY', 'who has no key learns nothing')
  })

  test('has everything that was acknowledged, and nothing later', async (t) => {
    const server = await started(t, dialect)
    const [owner, member] = [server.as('owner'), server.as('member')]
    const to = [member.userId]
    const queue = await listen(owner, ['message', 'realm'])
    const send = (content: number): Promise<Answer> => member.post('/messages', { type: 'direct', to, content })
    const before = Array.from({ length: 15 }, (_, index) => send(index))
    const two = [owner.post('/realm/deactivate'), owner.post('/realm/deactivate')]
    const after = Array.from({ length: 15 }, (_, index) => send(100 + index))
    const answers = await Promise.all([...before, ...after])
    assert.deepEqual((await Promise.all(two)).map(said).toSorted(), ['200 success', ENDED])
    for (const answer of answers) assert.ok(['200 success', ENDED].includes(said(answer)), said(answer))
    await server.ground.run('reactivate-organization')
    const acknowledged = answers.flatMap(({ body }) => (body.id === undefined ? [] : [body.id]))
    const stored = (await member.newest([{ operator: 'dm', operand: to }])).map(({ id }) => id)
    assert.deepEqual(
      stored,
      acknowledged.toSorted((a, b) => a - b),
    )
    const { events } = await owner.must('GET', '/events', { ...queue, dont_block: true })
    assert.equal(events.at(-1).op, 'deactivated', 'nothing is told after it')
  })

  test('sends scheduled messages only after its reactivation', async (t) => {
    const server = await started(t, dialect)
    const [owner, member] = [server.as('owner'), server.as('member')]
    const queue = await listen(member, ['message'])
    const later = { type: 'direct', to: [member.userId], content: 'Later.' }
    await owner.must('POST', '/scheduled_messages', { ...later, scheduled_delivery_timestamp: FAR_AWAY })
    await owner.must('POST', '/realm/deactivate')
    await server.parley.stop()
    const { ground } = server
    await ground.inDatabase(({ knex }) => knex('scheduled_message').update({ deliver_at: 1000 }))
    const again = await ground.start()
    // The jobs have started with the server. If they had something to send, they would do so before this many answers.
    for (let turn = 0; turn < 50; turn += 1) await fetch(`${again.url}/health`)
    assert.equal((await ground.inDatabase(({ knex }) => knex('scheduled_message').select('id'))).length, 1)
    await ground.run('reactivate-organization')
    const { events } = await again.as('member').must('GET', '/events', queue)
    assert.equal(events[0].message.content, 'Later.')
    const { scheduled_messages } = await again.as('owner').must('GET', '/scheduled_messages')
    assert.deepEqual(scheduled_messages, [])
  })
})
