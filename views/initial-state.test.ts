import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../server/testing.ts'

/** Fields by fetch type; `realm` and `realm_user` have separate tests. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  channel_folders: ['channel_folders'],
  custom_profile_fields: ['custom_profile_field_types', 'custom_profile_fields'],
  default_stream_groups: ['realm_default_stream_groups'],
  default_streams: ['realm_default_streams'],
  device: ['devices'],
  drafts: ['drafts'],
  giphy: ['giphy_api_key'],
  message: ['max_message_id'],
  navigation_views: ['navigation_views'],
  onboarding_steps: ['navigation_tour_video_url', 'onboarding_steps'],
  realm_billing: ['realm_billing'],
  realm_bot: ['realm_bots'],
  realm_domains: ['realm_domains'],
  realm_embedded_bots: ['realm_embedded_bots'],
  realm_emoji: ['realm_emoji'],
  realm_filters: ['realm_filters'],
  realm_incoming_webhook_bots: ['realm_incoming_webhook_bots'],
  realm_linkifiers: ['realm_linkifiers'],
  realm_playgrounds: ['realm_playgrounds'],
  realm_user_groups: ['realm_user_groups'],
  recent_private_conversations: ['recent_private_conversations'],
  reminders: ['reminders'],
  saved_snippets: ['saved_snippets'],
  scheduled_messages: ['scheduled_messages'],
  stop_words: ['stop_words'],
  stream: ['streams'],
  subscription: ['never_subscribed', 'subscriptions', 'unsubscribed'],
  tenor: ['tenor_api_key'],
  video_calls: ['has_zoom_token'],
  // Empty since level 439.
  update_display_settings: [],
  update_global_notifications: [],
}

onEachDatabase('POST /register, fetch_event_types', (dialect) => {
  const parley = sharedParley(dialect)

  async function fetched(client: ApiClient, types: readonly string[]) {
    const { queue_id, ...state } = await client.must('POST', '/register', { fetch_event_types: types })
    await client.must('DELETE', '/events', { queue_id })
    return state
  }

  test('each type brings its fields and no others', async () => {
    const member = (await parley()).as('member')
    const constants = new Set(Object.keys(await fetched(member, [])))
    for (const [type, names] of Object.entries(FIELDS)) {
      const fields = Object.keys(await fetched(member, [type])).filter((name) => !constants.has(name))
      assert.deepEqual(fields.toSorted(), names, type)
    }
  })

  test('recent conversations: the others in each, the newest first', async () => {
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

  test('bots and groups follow a role, in state and events', async () => {
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

  test('queues of a bot are for what somebody set, unless it says otherwise', async () => {
    const server = await parley()
    const [one, other] = [server.unique('default'), server.unique('elsewhere')]
    const owner = await server.newUser()
    for (const name of [one, other]) await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
    const bot = await server.newBot(owner, { default_all_public_streams: true })
    // As imported; no operation sets it.
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

  test('what Parley does not offer is said to be nothing (DIFF-STOP-WORDS)', async () => {
    const state = await fetched((await parley()).as('member'), ['giphy', 'tenor', 'realm_billing', 'stop_words'])
    assert.deepEqual(
      [state.giphy_api_key, state.tenor_api_key, state.realm_billing, state.stop_words],
      ['', '', { has_pending_sponsorship_request: false }, []],
    )
  })
})
