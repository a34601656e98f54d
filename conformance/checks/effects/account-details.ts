import { addedField } from '../../acts/custom-profile-fields.ts'
import { addressFor } from '../../acts/settings.ts'
import { type Account, personRoles, type Values } from '../../deployment/account.ts'
import type { EventQueue } from '../../deployment/event-queue.ts'
import type { Channel } from '../../deployment/leaving.ts'
import { fieldTypes } from '../../deployment/profile-fields.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, effectNamed, type Shows } from '../../kernel/effect.ts'
import { eventOf, heardOf, listen } from '../../kernel/listening.ts'
import { fetchedInList, messageOf, ofNobody, post } from '../../kernel/messaging.ts'
import { newPerson, peopleOfRoles } from '../../kernel/people-of-roles.ts'
import { idOfNothing } from '../../provocations/provocation.ts'
import type { Exchange } from '../../wire/http.ts'
import { isRefused, isSetOf, type Json, listOf } from '../../wire/values.ts'
import { refuses, succeeds } from '../outcomes.ts'
import { ownOf } from '../subscriptions.ts'
import { hasSubscribers } from './subscribing.ts'

export const checks: readonly Check[] = [
  effectNamed(
    'effects/get-user/names',
    'a user is found by ID, and by each email address that the caller may know',
    async (t, shows, { user: reader }) => {
      const user = await t.newUser()
      await user.must('update-presence', { status: 'active' })
      const isFound = async (name: string | number): Promise<void> => {
        const exchange = await reader.call('get-user', { user_id_or_email: name })
        shows(exchange, exchange.body?.user?.user_id === user.userId, `user ${user.userId}, for "${name}"`)
        const presence = await reader.call('get-presence', { user_id_or_email: name })
        shows(presence, presence.status === 200, `presence of user ${user.userId}, for "${name}"`)
      }
      await isFound(user.userId)
      const known = await reader.must('get-user', { user_id_or_email: user.userId })
      await isFound(known.body.user.email)
      if (t.isParley) {
        // Other servers know the stand-in address only if the real one is hidden. Its host is the server's own name for
        // itself.
        const { realm_url: url } = (await reader.must('get-server-settings')).body
        await isFound(`user${user.userId}@${new URL(url).hostname}`)
        const other = await reader.call('get-user', { user_id_or_email: `user${user.userId}@elsewhere.example` })
        refuses(shows, other, 'an address of another host stands for nobody here')
      }
      if (t.level < 302) return
      const hiding = await user.call('update-settings', { email_address_visibility: addressFor.nobody })
      const hidden = await reader.must('get-user', { user_id_or_email: user.userId })
      if (hiding.status !== 200 || hidden.body.user.delivery_email !== null) return
      await isFound(hidden.body.user.email)
    },
  ),
  effectNamed(
    'effects/update-settings/address',
    'an email address is visible to those to whom its owner shows it',
    async (t, shows) => {
      const [user, people] = [await t.newUser(), await peopleOfRoles(t)]
      const queue = await listen(user, ['user_settings'])
      for (const [email_address_visibility, least] of [
        [addressFor.everybody, 'guest'],
        [addressFor.members, 'member'],
        [addressFor.moderators, 'moderator'],
        [addressFor.administrators, 'administrator'],
        [addressFor.nobody, undefined],
      ] as const) {
        const chosen = await user.call('update-settings', { email_address_visibility })
        if (isRefused(chosen)) t.leaveOut('people may not choose here who sees their address')
        // The first choice may be the current one.
        if (least !== 'guest') {
          const property = 'email_address_visibility'
          await eventOf(shows, queue, { type: 'user_settings', property, value: email_address_visibility })
        }
        for (const [role, person] of people) {
          const exchange = await person.must('get-user', { user_id_or_email: user.userId })
          const isSeen = least !== undefined && personRoles.indexOf(role) >= personRoles.indexOf(least)
          const address = isSeen ? user.email : null
          const says = `\`delivery_email\` is ${address} for a ${role}: \`email_address_visibility\` is ${email_address_visibility}`
          shows(exchange, exchange.body.user.delivery_email === address, says)
          if (t.level < 302 || address === null) continue
          const found = await person.call('get-user', { user_id_or_email: address })
          shows(found, found.body?.user?.user_id === user.userId, `user ${user.userId}, found by the address`)
        }
      }
    },
  ),
  effectNamed(
    'effects/get-users/form',
    'avatars and profile data have the form that the client requests',
    async (_, shows, { user, other }) => {
      const ask = async (values: Values): Promise<readonly [Exchange, Json][]> => {
        const all = await user.must('get-users', values)
        const one = await user.must('get-user', { user_id_or_email: other.userId, ...values })
        return [
          [all, listOf(all.body.members).find((each: Json) => each.user_id === other.userId)],
          [one, one.body.user],
        ]
      }
      const usual = await ask({})
      const said = await ask({ client_gravatar: true, include_custom_profile_fields: false })
      const full = await ask({ client_gravatar: false, include_custom_profile_fields: true })
      for (const [index, [exchange, has]] of usual.entries()) {
        const same = said[index]?.[1]?.avatar_url
        shows(exchange, has?.avatar_url === same, '`avatar_url` as with `client_gravatar` true')
        shows(exchange, has !== undefined && !('profile_data' in has), 'no `profile_data`, which was not asked for')
      }
      for (const [exchange, has] of full) {
        const isUrl = typeof has?.avatar_url === 'string' && has.avatar_url !== ''
        shows(exchange, isUrl, '`avatar_url` is an address: `client_gravatar` is false')
        shows(exchange, has?.profile_data !== undefined, '`profile_data`, which was asked for')
      }
    },
  ),
  effect(
    ['create-user', 'fetch-api-key'],
    'a new account has the requested properties, and is announced to people and bots',
    async (t, shows, { user: watcher }) => {
      await t.deployment.canMakeUsers()
      const maker = t.deployment.userMaker ?? t.withoutUsers()
      const bot = t.deployment.given.find(({ isBot }) => isBot)
      const queues = [await listen(watcher, ['realm_user'])]
      if (bot !== undefined) queues.push(await listen(bot, ['realm_user']))
      const full_name = t.unique('Conformance New')
      const email = `${full_name.toLowerCase().replaceAll(' ', '-')}@conformance.example`
      const made = await maker.must('create-user', { email, password: 'four winds meet 4', full_name })
      const user_id = Number(made.body.user_id)
      const wanted = { user_id, full_name, role: 400, is_bot: false, is_admin: false, is_owner: false, is_guest: false }
      const known = await watcher.must('get-user', { user_id_or_email: user_id })
      for (const [field, value] of Object.entries({ ...wanted, is_active: true })) {
        const has = known.body.user[field]
        shows(known, has === value, `\`${field}\` is ${JSON.stringify(value)}`)
      }
      const key = await ofNobody(t, 'fetch-api-key', { username: email, password: 'four winds meet 4' })
      shows(key, key.status === 200 && key.body.email === email, `a key for "${email}", with the password given`)
      for (const one of queues) {
        const added = { type: 'realm_user', op: 'add', person: { user_id } }
        const told = await heardOf(shows, one, added, `\`realm_user\` op \`add\` of user ${user_id}`)
        if (told) shows(told.exchange, told.event.person.full_name === full_name, `\`full_name\` is "${full_name}"`)
      }
    },
  ),
  effectNamed(
    'effects/deactivate-user/deletions',
    'deactivation with deletion removes the selected content, and nothing else',
    async (t, shows, { user: watcher }) => {
      if (t.level < 459) t.leaveOut('`actions` came with level 459')
      const admin = t.person('administrator')
      const user = await t.newUser()
      const [open, hidden] = [await t.channel(watcher, [user]), await t.channel(watcher, [user], true)]
      const said = async (values: object) => {
        const sent = await user.must('send-message', { topic: 'conformance', content: t.unique('Said'), ...values })
        return Number(sent.body.id)
      }
      const gone = await said({ type: 'stream', to: open.id })
      const kept = [await said({ type: 'stream', to: hidden.id }), await said({ type: 'direct', to: [watcher.userId] })]
      const client_capabilities = { notification_settings_null: true, bulk_message_deletion: true }
      const queue = await listen(watcher, ['delete_message'], { client_capabilities })
      const actions = {
        delete_profile: false,
        delete_public_channel_messages: true,
        delete_private_channel_messages: false,
        delete_direct_messages: false,
      }
      await admin.must('deactivate-user', { user_id_or_email: user.userId, actions })
      const isOfGone = (event: Json): boolean => listOf(event.message_ids).includes(gone)
      await heardOf(shows, queue, isOfGone, `\`delete_message\` of message ${gone}`)
      refuses(shows, await watcher.call('get-message', { message_id: gone }), `message ${gone} is deleted`)
      for (const message_id of kept) {
        succeeds(
          shows,
          await watcher.call('get-message', { message_id }),
          `message ${message_id}, which was not to be deleted`,
        )
      }
    },
  ),
  effect(
    ['deactivate-user', 'reactivate-user'],
    'a deactivated user is no subscriber and hears nothing, and has the same role after reactivation',
    async (t, shows, { user: watcher }) => {
      const admin = t.person('administrator')
      const user = (await newPerson(t, 'moderator')) ?? (await t.newUser())
      const channels = [await t.channel(user, [watcher]), await t.channel(watcher, [user], true)] as const
      const message_id = await post(watcher, channels[0], 'leaving', 'To react to.')
      await user.must('add-reaction', { message_id, emoji_name: 'tada' })
      const known = await watcher.must('get-user', { user_id_or_email: user.userId })
      const queue = await listen(user, ['message'])
      const listener = await listen(watcher, ['subscription'])
      await admin.must('deactivate-user', { user_id_or_email: user.userId })
      await areFollowed(shows, admin, channels, [watcher])
      const named = watcher.known('get-users', { user_ids: [user.userId, user.userId, idOfNothing] })
      const asked = await watcher.must('get-users', named)
      const found = listOf(asked.body.members).filter((one) => one.user_id === user.userId && one.is_active === false)
      const isAlone = t.level < 384 || asked.body.members.length === 1
      shows(asked, found.length === 1 && isAlone, `user ${user.userId}, who is not active, and nobody else`)
      const seen = await fetchedInList(watcher, message_id)
      shows(seen, listOf(messageOf(seen)?.reactions).length === 1, `the reaction of user ${user.userId}`)
      const ids = channels.map(({ id }) => id)
      if (t.level >= 377) await leaves(shows, listener, user, ids)
      await admin.must('reactivate-user', { user_id: user.userId })
      await areFollowed(shows, admin, channels, [watcher, user])
      const again = await watcher.must('get-user', { user_id_or_email: user.userId })
      const { role } = known.body.user
      shows(again, again.body.user.role === role, `\`role\` is ${role} again`)
      const late = await user.call('get-events', { queue_id: queue.id, last_event_id: -1, dont_block: true })
      refuses(shows, late, 'event queues end with the account')
    },
  ),
  effectNamed('effects/register-queue/realm_bot', 'bots are listed for their owners', async (t, shows, { user }) => {
    const listed = await user.must('get-users')
    const bots: Json[] = listed.body.members.filter((one: Json) => one.is_bot && one.is_active)
    const owned = bots.find(({ bot_owner_id: id }) => t.deployment.given.some(({ userId }) => userId === id))
    if (owned === undefined) t.leaveOut('needs the credentials of somebody who owns a bot')
    const owner = t.deployment.given.find(({ userId }) => userId === owned.bot_owner_id) ?? user
    for (const [person, isOwner] of [
      [owner, true],
      [user, owner.userId === user.userId],
    ] as const) {
      const exchange = await person.must('register-queue', { event_types: ['realm_bot'] })
      const isThere = listOf(exchange.body.realm_bots).some((one: Json) => one.user_id === owned.user_id)
      shows(exchange, isThere === isOwner, `bot ${owned.user_id} ${isOwner ? '' : 'not '}among \`realm_bots\``)
    }
  }),
  effectNamed(
    'effects/update-user/several',
    'a name, a role and profile values that change in one request are all announced, whether the user is named by ID or address',
    async (t, shows, { user: watcher }) => {
      const admin = t.person('administrator')
      const [user, field_id] = [await t.newUser(), await addedField(t, fieldTypes.shortText)]
      const known = await admin.must('get-user', { user_id_or_email: user.userId })
      const { delivery_email: address, email } = known.body.user
      const guest = t.deployment.given.find(({ role }) => role === 'guest')
      const seen = await guest?.call('get-user', { user_id_or_email: user.userId })
      const hearing = guest !== undefined && seen?.status === 200 ? [watcher, guest] : [watcher]
      const opened = await Promise.all(hearing.map((person) => listen(person, ['realm_user'])))
      for (const [named, role] of [
        [user.userId, 300],
        ...(t.level >= 313 ? ([[address ?? email, 600]] as const) : []),
      ] as const) {
        const full_name = t.unique('Both')
        const profile_data = [{ id: field_id, value: full_name }]
        await admin.must('update-user', { user_id_or_email: named, full_name, role, profile_data })
        const says = `that user ${user.userId} is called "${full_name}" and has the role ${role}`
        for (const queue of opened) {
          const told: Record<string, unknown> = {}
          const isTold = ({ op, person }: Json): boolean => {
            if (op === 'update' && person?.user_id === user.userId) Object.assign(told, person)
            return told.full_name === full_name && told.role === role
          }
          if (!(await eventOf(shows, queue, isTold, says))) return
        }
        const asked = { user_id_or_email: user.userId, include_custom_profile_fields: true }
        const after = await watcher.must('get-user', asked)
        const isBoth = after.body.user.full_name === full_name && after.body.user.role === role
        shows(after, isBoth, `\`full_name\` is "${full_name}" and \`role\` ${role}`)
        const isKept = after.body.user.profile_data?.[field_id]?.value === full_name
        shows(after, isKept, `profile field ${field_id} is "${full_name}"`)
      }
      await admin.must('remove-custom-profile-field', { field_id })
    },
  ),
]

/** Checks the subscribers wherever the first of them sees them, and their number, also as an administrator. */
async function areFollowed(shows: Shows, admin: Account, channels: readonly Channel[], people: readonly Account[]) {
  const [reader = admin] = people
  const listed = await reader.must('get-subscriptions', { include_subscribers: 'true' })
  const state = await reader.must('register-queue', { event_types: ['subscription'], include_subscribers: 'true' })
  for (const channel of channels) {
    await hasSubscribers(shows, reader, channel, people)
    for (const exchange of [listed, state]) {
      const ids = people.map(({ userId }) => userId)
      shows(exchange, isSetOf(ownOf(exchange, channel)?.subscribers, ids), `\`subscribers\` are ${ids.join()}`)
    }
  }
  for (const who of [reader, admin]) await areCounted(shows, who, channels, people.length)
}

/** Checks the number of subscribers in lists, in the channel alone, and in POST /register. */
async function areCounted(shows: Shows, reader: Account, channels: readonly Channel[], count: number): Promise<void> {
  const own = await reader.must('get-subscriptions')
  const listed = await reader.must('get-streams')
  const state = await reader.must('register-queue', { fetch_event_types: ['subscription'], event_types: ['message'] })
  const { subscriptions, unsubscribed, never_subscribed: never } = state.body
  const places: (readonly [Exchange, readonly Json[]])[] = [
    [own, listOf(own.body.subscriptions)],
    [listed, listOf(listed.body.streams)],
    [state, [subscriptions, unsubscribed, never].flatMap(listOf)],
  ]
  for (const { id: stream_id } of channels) {
    const alone = await reader.call('get-stream', { stream_id })
    for (const [exchange, all] of [...places, [alone, [alone.body?.stream]] as const]) {
      const has = all.find((one) => one?.stream_id === stream_id)?.subscriber_count
      if (has === undefined) continue // sent since some level, for channels that the reader may see
      const expected = `\`subscriber_count\` of channel ${stream_id} is ${count}, of those who are active`
      shows(exchange, has === count, expected)
    }
  }
}

/** Reads events until the user has left all of these channels. */
async function leaves(shows: Shows, queue: EventQueue, user: Account, ids: readonly number[]): Promise<void> {
  const left = new Set<number>()
  const isLast = ({ op, stream_ids: some = [], user_ids: people = [] }: Json): boolean => {
    if (op === 'peer_remove' && people.includes(user.userId)) for (const id of some) left.add(id)
    return ids.every((id) => left.has(id))
  }
  await heardOf(shows, queue, isLast, `that user ${user.userId} left channels ${ids.join()}`)
}
