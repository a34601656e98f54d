import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_LINKIFIERS } from '../../domain/limits.ts'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('linkifiers', (dialect) => {
  const parley = sharedParley(dialect)
  let count = 0
  const values = () => {
    count += 1
    return { pattern: `T${count}-(?P<id>[0-9]+)`, url_template: `https://example.com/${count}/{id}` }
  }
  const register = (client: ApiClient, isCapable = true) =>
    client.must('POST', '/register', {
      event_types: ['realm_linkifiers'],
      client_capabilities: { notification_settings_null: true, linkifier_url_template: isCapable },
    })
  const list = async (client: ApiClient) => (await client.must('GET', '/realm/linkifiers')).linkifiers

  test('are told with all that is given, where something changes, and only to who knows them', async () => {
    const server = await parley()
    const [admin, guest, old] = [server.as('admin'), server.as('guest'), server.as('member')]
    const given = values()
    const { id } = await admin.must('POST', '/realm/filters', given)
    assert.equal((await list(guest)).at(-1).id, id, 'a new one is the last')
    const [queue, other] = [await register(guest), await register(old, false)]
    assert.deepEqual(other.realm_linkifiers, [])
    const more = {
      example_input: `T${count}-1`,
      reverse_template: `T${count}-{id}`,
      alternative_url_templates: ['https://e.example/{id}'],
    }
    for (const _ of [1, 2]) await admin.must('PATCH', `/realm/filters/${id}`, more)
    await admin.must('PATCH', `/realm/filters/${id}`, { example_input: '', reverse_template: '' })
    await admin.must('DELETE', `/realm/filters/${id}`)
    const heard = async (client: ApiClient, { queue_id }: { queue_id: string }) =>
      (await client.must('GET', '/events', { queue_id, dont_block: true })).events
    const told = (await heard(guest, queue)).map((event: { realm_linkifiers: unknown }) => event.realm_linkifiers)
    const whole = { id, ...given, ...more }
    assert.deepEqual(told, [[whole], [{ ...whole, example_input: null, reverse_template: null }], []])
    assert.deepEqual(await heard(old, other), [])
    for (const answer of [
      await admin.delete(`/realm/filters/${id}`),
      await admin.patch(`/realm/filters/${id}`, given),
    ]) {
      assert.deepEqual([answer.status, answer.body.msg], [400, 'Linkifier not found.'])
    }
  })

  test('are refused with a reason', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const given = values()
    const { id } = await admin.must('POST', '/realm/filters', given)
    const again = await admin.post('/realm/filters', given)
    assert.deepEqual(again.body.errors, { __all__: ['A linkifier with this pattern already exists.'] })
    const bad = await admin.post('/realm/filters', { ...values(), url_template: 'https://example.com/{id' })
    const msg = 'Invalid URL template.'
    assert.deepEqual([bad.body.errors, bad.body.msg], [{ url_template: [msg] }, msg])
    const all = (await list(admin)).map((one: { id: number }) => one.id)
    for (const [ids, says] of [
      [[...all, 99999], 'The ordered list must enumerate all existing linkifiers exactly once'],
      [[...all, id], 'The ordered list must not contain duplicated linkifiers'],
    ] as const) {
      assert.equal((await admin.patch('/realm/linkifiers', { ordered_linkifier_ids: ids })).body.msg, says)
    }
    await admin.must('DELETE', `/realm/filters/${id}`)
  })

  test('make links of a topic that a message is moved to', async () => {
    const server = await parley()
    const [admin, member] = [server.as('admin'), server.as('member')]
    const { pattern } = values()
    const { id } = await admin.must('POST', '/realm/filters', { pattern, url_template: 'https://example.com/{id}' })
    const [name] = pattern.split('-')
    const queue = await member.must('POST', '/register', { event_types: ['message', 'update_message'] })
    const message = { type: 'channel', to: 'general', topic: 'plain', content: 'x' }
    const sent = await member.must('POST', '/messages', message)
    await member.must('PATCH', `/messages/${sent.id}`, { topic: `${name}-2`, send_notification_to_new_thread: false })
    const links = [{ text: `${name}-2`, url: 'https://example.com/2' }]
    const page = await member.must('GET', '/messages', { message_ids: [sent.id] })
    assert.deepEqual(page.messages[0].topic_links, links)
    const { events } = await member.must('GET', '/events', { queue_id: queue.queue_id, dont_block: true })
    assert.deepEqual([events[0].message.topic_links, events[1].topic_links], [[], links])
    await admin.must('DELETE', `/realm/filters/${id}`)
    assert.deepEqual((await member.must('GET', `/messages/${sent.id}`)).message.topic_links, [])
  })

  test('are no more than fifty (DIFF-LINKIFIERS), and of several at once each is there', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const missing = MAX_LINKIFIERS - (await list(admin)).length
    const answers = await Promise.all(Array.from({ length: missing + 2 }, () => admin.post('/realm/filters', values())))
    const refused = answers.filter(({ status }) => status !== 200)
    assert.deepEqual(
      refused.map(({ body }) => body.msg),
      Array(2).fill(`An organization has at most ${MAX_LINKIFIERS} linkifiers.`),
    )
    assert.equal((await list(admin)).length, MAX_LINKIFIERS)
  })
})
