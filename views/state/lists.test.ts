import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Database } from '../../db/database.ts'
import type { Tx } from '../../db/repositories.ts'
import { systemClock } from '../../domain/clock.ts'
import { ONBOARDING_STEPS } from '../../domain/onboarding-steps.ts'
import { embeddedConfig } from '../../server/config.ts'
import { createParley } from '../../server/create-parley.ts'
import { ApiClient, emptyDatabase, onEachDatabase } from '../../server/testing.ts'

/** UNIX seconds: what is due is sent. */
const FAR_AWAY = 2_082_787_200

/** Rows of tables that no operation fills yet, for the member and for somebody else. */
async function fillTables({ session: { knex } }: Tx, member: number, other: number, bot: number): Promise<void> {
  const edited = { type: 'stream', recipients: '[1]', topic: 't', content: 'c' }
  await knex('draft').insert([
    { ...edited, user_id: member, edited_at: 10 },
    { user_id: member, type: 'private', recipients: '[2,3]', topic: '', content: 'd', edited_at: 20 },
    { ...edited, user_id: other, edited_at: 30 },
  ])
  const snippet = { title: 'greeting', content: 'hello', created_at: 5 }
  await knex('saved_snippet').insert([
    { ...snippet, user_id: member },
    { ...snippet, user_id: other },
  ])
  const due = { content: 'c', rendered_content: '<p>c</p>', has_failed: false }
  const how = { is_read_by_sender: true, client: 'test' }
  const scheduled = { ...due, user_id: member, recipients: '[]', topic: '', ...how }
  await knex('scheduled_message').insert([
    { ...scheduled, recipients: '[3]', deliver_at: FAR_AWAY },
    { ...scheduled, channel_id: 1, topic: 't', deliver_at: 100, has_failed: true },
    { ...scheduled, user_id: other, deliver_at: FAR_AWAY },
  ])
  await knex('reminder').insert([
    { ...due, user_id: member, message_id: 3, note: '', deliver_at: FAR_AWAY },
    { ...due, user_id: other, message_id: 3, note: '', deliver_at: FAR_AWAY },
  ])
  await knex('navigation_view').insert([
    { user_id: member, fragment: 'narrow/is/starred', is_pinned: true },
    { user_id: member, fragment: 'narrow/x', is_pinned: false, name: 'mine' },
    { user_id: other, fragment: 'inbox', is_pinned: false },
  ])
  await knex('onboarding_step').insert([
    { user_id: member, name: 'intro_resolve_topic' },
    { user_id: other, name: 'intro_inbox_view_modal' },
  ])
  await knex('device').insert([
    { id: 7, user_id: member, push_key_id: 4_294_967_295 },
    { id: 8, user_id: other },
  ])
  await knex('custom_profile_field').insert([
    { id: 1, type: 8, position: 2, name: 'Pronouns', hint: '', field_data: '', ...fieldFlags(false) },
    { id: 2, type: 3, position: 1, name: 'Team', hint: 'Yours', field_data: '{"0":{}}', ...fieldFlags(true) },
  ])
  await knex('linkifier').insert([
    { id: 1, position: 2, pattern: 'a', url_template: 'https://a.example/{id}', alternative_url_templates: '["b"]' },
    { id: 2, position: 1, pattern: 'b', url_template: 'c', example_input: 'd', alternative_url_templates: '[]' },
  ])
  await knex('playground').insert({ name: 'Try it', pygments_language: 'Python', url_template: 'https://p/{code}' })
  await knex('email_domain').insert({ domain: 'parley.example', allow_subdomains: true })
  await knex('default_channel_group').insert({ id: 1, name: 'g', description: 'd' })
  await knex('default_channel_group_channel').insert({ group_id: 1, channel_id: 2 })
  const folder = { name: 'f', description: '*f*', rendered_description: '<p><em>f</em></p>' }
  await knex('channel_folder').insert({ ...folder, id: 1, position: 0, is_archived: true, creator_id: member })
  await knex('bot').insert({
    user_id: bot,
    default_sending_channel_id: 1,
    default_events_channel_id: 1,
    default_all_public_channels: true,
    services: '[{"base_url":"https://b.example"}]',
  })
  await knex('user_group').insert({
    id: 9,
    name: 'designers',
    description: 'They draw.',
    is_system_group: false,
    creator_id: member,
    created_at: 77,
    group_settings: '{"can_mention_group":4}',
  })
  await knex('user_group').insert({
    id: 10,
    name: 'old',
    description: '',
    is_system_group: false,
    is_deactivated: true,
  })
  await knex('user_group_member').insert([
    { group_id: 9, user_id: other },
    { group_id: 9, user_id: member },
  ])
  await knex('user_group_subgroup').insert({ group_id: 9, subgroup_id: 3 })
}

const fieldFlags = (isOn: boolean) => ({
  display_in_profile_summary: isOn,
  is_required: isOn,
  editable_by_user: !isOn,
  use_for_user_matching: isOn,
})

onEachDatabase('POST /register, lists that no operation fills yet', (dialect) => {
  let parley: Awaited<ReturnType<typeof createParley>>
  let clean: () => Promise<void>
  let ids: Record<string, number>
  let as: (key: string) => ApiClient
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
    const { location, remove } = await emptyDatabase(dialect)
    const config = embeddedConfig({
      dataFolder: folder,
      database: location,
      checkAnswers: true,
      rateLimits: false,
      logLevel: 'error',
    })
    parley = await createParley(config)
    const { credentials } = await parley.start({ port: 0 })
    await parley.stop()
    const users = credentials?.users ?? {}
    ids = Object.fromEntries(Object.entries(users).map(([key, login]) => [key, login.user_id]))
    const { member = 0, member2 = 0, bot = 0 } = ids
    const db = await Database.open(location, systemClock)
    await db.transaction((tx) => fillTables(tx, member, member2, bot))
    await db.close()
    parley = await createParley(config)
    const { url } = await parley.start({ port: 0 })
    as = (key) => new ApiClient(url, users[key] ?? assert.fail())
    clean = async () => {
      await parley.stop()
      await remove()
      await rm(folder, { recursive: true, force: true })
    }
  })
  after(() => clean())

  const fetched = (key: string, fetch_event_types: readonly string[], capabilities: readonly string[] = []) =>
    as(key).must('POST', '/register', {
      fetch_event_types,
      client_capabilities: Object.fromEntries(
        ['notification_settings_null', ...capabilities].map((one) => [one, true]),
      ),
    })

  test("one's own, and nobody else's", async () => {
    const state = await fetched('member', [
      'drafts',
      'saved_snippets',
      'scheduled_messages',
      'reminders',
      'navigation_views',
      'onboarding_steps',
      'device',
      'video_calls',
    ])
    assert.deepEqual(
      state.drafts.map(({ id, ...draft }: { id: number }) => draft),
      [
        { type: 'private', to: [2, 3], topic: '', content: 'd', timestamp: 20 },
        { type: 'stream', to: [1], topic: 't', content: 'c', timestamp: 10 },
      ],
    )
    assert.deepEqual(state.saved_snippets, [{ id: 1, title: 'greeting', content: 'hello', date_created: 5 }])
    const content = { content: 'c', rendered_content: '<p>c</p>' }
    assert.deepEqual(
      state.scheduled_messages.map(({ scheduled_message_id, ...one }: { scheduled_message_id: number }) => one),
      [
        { type: 'stream', to: 1, topic: 't', ...content, scheduled_delivery_timestamp: 100, failed: true },
        { type: 'private', to: [3], ...content, scheduled_delivery_timestamp: FAR_AWAY, failed: false },
      ],
    )
    assert.deepEqual(state.reminders, [
      {
        reminder_id: 1,
        type: 'private',
        to: [ids.member],
        ...content,
        scheduled_delivery_timestamp: FAR_AWAY,
        failed: false,
        reminder_target_message_id: 3,
      },
    ])
    assert.deepEqual(state.navigation_views, [
      { fragment: 'narrow/is/starred', is_pinned: true, name: null },
      { fragment: 'narrow/x', is_pinned: false, name: 'mine' },
    ])
    const left = ONBOARDING_STEPS.filter((name) => name !== 'intro_resolve_topic')
    assert.deepEqual(
      state.onboarding_steps,
      left.map((name) => ({ type: 'one_time_notice', name })),
    )
    assert.equal(state.navigation_tour_video_url, null)
    const nothing = {
      push_token_id: null,
      pending_push_token_id: null,
      push_token_last_updated_timestamp: null,
      push_registration_error_code: null,
    }
    assert.deepEqual(state.devices, { 7: { push_key_id: 4_294_967_295, ...nothing } })
    assert.equal(state.has_zoom_token, false)
  })

  test('the organization’s', async () => {
    const state = await fetched('member', [
      'channel_folders',
      'default_streams',
      'default_stream_groups',
      'realm_domains',
      'realm_playgrounds',
    ])
    assert.deepEqual(state.channel_folders, [
      {
        id: 1,
        name: 'f',
        order: 0,
        date_created: null,
        creator_id: ids.member,
        description: '*f*',
        rendered_description: '<p><em>f</em></p>',
        is_archived: true,
      },
    ])
    assert.deepEqual(state.realm_default_streams, [1, 2])
    assert.deepEqual(state.realm_default_stream_groups, [{ id: 1, name: 'g', description: 'd', streams: [2] }])
    assert.deepEqual(state.realm_domains, [{ domain: 'parley.example', allow_subdomains: true }])
    assert.deepEqual(state.realm_playgrounds, [
      { id: 1, name: 'Try it', pygments_language: 'Python', url_template: 'https://p/{code}' },
    ])
    const guest = await fetched('guest', ['default_streams', 'default_stream_groups'])
    assert.deepEqual([guest.realm_default_streams, guest.realm_default_stream_groups], [[], []])
  })

  test('custom profile fields; those with pronouns are texts for whoever does not know them', async () => {
    const types = ['custom_profile_fields']
    const { custom_profile_fields, custom_profile_field_types } = await fetched('member', types)
    assert.deepEqual(custom_profile_fields, [
      {
        id: 2,
        type: 3,
        order: 1,
        name: 'Team',
        hint: 'Yours',
        field_data: '{"0":{}}',
        display_in_profile_summary: true,
        required: true,
        editable_by_user: false,
        use_for_user_matching: true,
      },
      {
        id: 1,
        type: 1,
        order: 2,
        name: 'Pronouns',
        hint: '',
        field_data: '',
        required: false,
        editable_by_user: true,
        use_for_user_matching: false,
      },
    ])
    assert.equal(custom_profile_field_types.PRONOUNS.id, 8, 'the kind itself is told to everybody')
    const knowing = await fetched('member', types, ['pronouns_field_type_supported'])
    assert.equal(knowing.custom_profile_fields[1].type, knowing.custom_profile_field_types.PRONOUNS.id)
  })

  test('linkifiers only for whoever knows templates (level 176)', async () => {
    const types = ['realm_linkifiers', 'realm_filters']
    assert.deepEqual((await fetched('member', types)).realm_linkifiers, [])
    const state = await fetched('member', types, ['linkifier_url_template'])
    const none = { example_input: null, reverse_template: null }
    assert.deepEqual(state.realm_linkifiers, [
      { id: 2, pattern: 'b', url_template: 'c', ...none, example_input: 'd', alternative_url_templates: [] },
      { id: 1, pattern: 'a', url_template: 'https://a.example/{id}', ...none, alternative_url_templates: ['b'] },
    ])
    assert.deepEqual(state.realm_filters, [])
  })

  test('bots of their owner, and of administrators all', async () => {
    const bot = {
      user_id: ids.bot,
      default_sending_stream: 'general',
      default_events_register_stream: 'general',
      default_all_public_streams: true,
      services: [{ base_url: 'https://b.example' }],
    }
    const types = ['realm_bot', 'realm_embedded_bots', 'realm_incoming_webhook_bots']
    for (const [key, bots] of [
      ['owner', [bot]],
      ['admin', [bot]],
      ['member', []],
    ] as const) {
      const state = await fetched(key, types)
      assert.deepEqual(state.realm_bots, bots, key)
      assert.deepEqual([state.realm_embedded_bots, state.realm_incoming_webhook_bots], [[], []])
    }
  })

  test('queues of a bot are for what somebody set, unless it says otherwise', async () => {
    await as('member').must('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'elsewhere' }] })
    const bot = as('bot')
    const queues = []
    for (const own of [{}, { narrow: [] }, { narrow: [], all_public_streams: false }]) {
      queues.push(await bot.listen(['message'], own))
    }
    for (const to of ['elsewhere', 'general']) {
      await as('member').must('POST', '/messages', { type: 'channel', to, topic: 't', content: 'x' })
    }
    const seen = []
    for (const heard of queues) seen.push((await heard()).map(({ message }) => message.display_recipient))
    assert.deepEqual(seen, [['general'], ['elsewhere', 'general'], ['general']])
  })

  test('groups of people; those out of use only for whoever knows them', async () => {
    const { realm_user_groups: groups } = await fetched('guest', ['realm_user_groups'])
    assert.deepEqual(groups.at(-1), {
      id: 9,
      name: 'designers',
      description: 'They draw.',
      members: [ids.member, ids.member2],
      direct_subgroup_ids: [3],
      is_system_group: false,
      creator_id: ids.member,
      date_created: 77,
      deactivated: false,
      can_add_members_group: { direct_members: [ids.member], direct_subgroups: [] },
      can_join_group: 1,
      can_leave_group: 7,
      can_manage_group: { direct_members: [ids.member], direct_subgroups: [] },
      can_mention_group: 4,
      can_remove_members_group: 1,
    })
    const knowing = await fetched('guest', ['realm_user_groups'], ['include_deactivated_groups'])
    assert.deepEqual(
      knowing.realm_user_groups.map((group: { deactivated: boolean }) => group.deactivated),
      [...groups.map(() => false), true],
    )
  })

  test('groups of the system have members by their role', async () => {
    const { realm_user_groups: groups } = await fetched('member', ['realm_user_groups'])
    const members = Object.fromEntries(
      groups.map((group: { name: string; members: number[] }) => [group.name, group.members]),
    )
    const { designers, ...system } = members
    const ordinary = [ids.member, ids.member2, ids.bot]
    assert.deepEqual(system, {
      'role:nobody': [],
      'role:owners': [ids.owner],
      'role:administrators': [ids.admin],
      'role:moderators': [ids.moderator],
      'role:fullmembers': ordinary,
      'role:members': ordinary,
      'role:everyone': [ids.guest],
      'role:internet': [],
    })
  })

  test('what Parley does not offer is said to be nothing (DIFF-STOP-WORDS)', async () => {
    const state = await fetched('member', ['giphy', 'tenor', 'realm_billing', 'stop_words'])
    assert.deepEqual(
      [state.giphy_api_key, state.tenor_api_key, state.realm_billing, state.stop_words],
      ['', '', { has_pending_sponsorship_request: false }, []],
    )
  })
})
