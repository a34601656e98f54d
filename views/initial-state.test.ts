import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../server/testing.ts'

const { schemas } = JSON.parse(readFileSync(new URL('../generated/wire.json', import.meta.url), 'utf8')).components
interface Described {
  readonly description?: string
  readonly properties?: object
}

/**
 * Fields by fetch types, as the contract describes them: `Fetch types giphy and tenor; …`. Words between the types do
 * no harm, because they select nothing.
 */
const fields = Object.entries<Described>(schemas).flatMap(([name, { description = '', properties = {} }]) => {
  const [, types = ''] = /^Fetch types? ([a-z_, ]+)/.exec(description) ?? []
  // The type selects one of the two fields of `PartialUserTopicState`.
  if (!name.startsWith('Partial') || types === '' || name === 'PartialUserTopicState') return []
  return [{ types: types.split(/[ ,]+/), names: Object.keys(properties) }]
})

onEachDatabase('POST /register, fetch_event_types', (dialect) => {
  const parley = sharedParley(dialect)

  async function fetched(client: ApiClient, types: readonly string[]) {
    const { queue_id, ...state } = await client.must('POST', '/register', { fetch_event_types: types })
    await client.must('DELETE', '/events', { queue_id })
    return state
  }

  test('each type adds its fields and no others', async () => {
    const member = (await parley()).as('member')
    const constants = new Set(Object.keys(await fetched(member, [])))
    assert.ok(fields.length > 30, `${fields.length}`)
    for (const { types, names } of fields) {
      const brought = Object.keys(await fetched(member, types)).filter((name) => !constants.has(name))
      assert.deepEqual(brought.toSorted(), names.toSorted(), `${types}`)
    }
  })

  test('recent conversations: the other participants of each, the newest first', async () => {
    const server = await parley()
    const [one, other, third] = [await server.newUser(), await server.newUser(), await server.newUser()]
    const recent = async () => (await fetched(one, ['recent_private_conversations'])).recent_private_conversations
    assert.deepEqual(await recent(), [])
    const send = async (from: ApiClient, ...to: readonly ApiClient[]) =>
      (await from.must('POST', '/messages', { type: 'direct', to: to.map(({ userId }) => userId), content: 'x' })).id
    await send(one, other)
    const group = await send(third, one, other)
    const notes = await send(one, one)
    const direct = await send(other, one)
    await send(other, third)
    assert.deepEqual(await recent(), [
      { max_message_id: direct, user_ids: [other.userId] },
      { max_message_id: notes, user_ids: [] },
      { max_message_id: group, user_ids: [other.userId, third.userId] },
    ])
  })

  test('a role decides about bots and groups, in state and events', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const types = ['realm_bot', 'realm_user_groups']
    const state = async () => {
      const { realm_bots: bots, realm_user_groups: groups } = await fetched(user, types)
      return {
        bots: bots.map((bot: { user_id: number }) => bot.user_id),
        groups: groups.flatMap((group: { id: number; members: number[] }) =>
          group.members.includes(user.userId) ? [group.id] : [],
        ),
      }
    }
    const before = await state()
    assert.deepEqual(before.bots, [])
    const heard = await user.listen(['realm_bot', 'user_group'])
    const known = { bots: new Set<number>(before.bots), groups: new Set<number>(before.groups) }
    for (const role of [200, 400]) {
      await owner.must('PATCH', `/users/${user.userId}`, { role })
      for (const { type, op, bot, group_id } of await heard()) {
        if (type === 'realm_bot') known.bots[op === 'add' ? 'add' : 'delete'](bot.user_id)
        else known.groups[op === 'add_members' ? 'add' : 'delete'](group_id)
      }
      const present = await state()
      assert.deepEqual([[...known.bots], [...known.groups].toSorted()], [present.bots, present.groups.toSorted()])
      assert.equal(present.bots.includes(server.as('bot').userId), role === 200)
    }
    assert.deepEqual(await state(), before)
  })

  test('the default settings of a bot determine its queues, unless it overrides them', async () => {
    const server = await parley()
    const [one, other] = [server.unique('default'), server.unique('elsewhere')]
    const owner = await server.newUser()
    for (const name of [one, other]) await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    const bot = await server.newBot(owner, { default_all_public_streams: true })
    // Simulates an imported organization; no operation sets it.
    await server.inDatabase(({ knex }) => {
      const channel = knex('channel').where({ name: one }).select('id')
      return knex('bot').where({ user_id: bot.userId }).update({ default_events_channel_id: channel })
    })
    const queues = []
    for (const own of [{}, { narrow: [] }, { narrow: [], all_public_streams: false }]) {
      queues.push(await bot.listen(['message'], own))
    }
    for (const to of [other, one])
      await owner.must('POST', '/messages', { type: 'channel', to, topic: 't', content: 'x' })
    const seen = []
    for (const heard of queues) {
      const names = (await heard()).map(({ message }) => message.display_recipient)
      seen.push(names.filter((name) => name === one || name === other))
    }
    assert.deepEqual(seen, [[one], [other, one], []])
  })

  test('unsupported features have empty values (DIFF-STOP-WORDS)', async () => {
    const state = await fetched((await parley()).as('member'), ['giphy', 'tenor', 'realm_billing', 'stop_words'])
    assert.deepEqual(
      [state.giphy_api_key, state.tenor_api_key, state.realm_billing, state.stop_words],
      ['', '', { has_pending_sponsorship_request: false }, []],
    )
  })
})
