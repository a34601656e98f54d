import { operationNamed } from '../deployment/account.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { listen } from '../kernel/listening.ts'
import { answerWhen, clockOf, post, postTo } from '../kernel/messaging.ts'
import { Agreement } from '../views/agreement.ts'
import { estimates } from '../views/channels.ts'
import type { Exchange } from '../wire/http.ts'
import { isObject, type Json, listOf } from '../wire/values.ts'

const rule = 'CONTRACT-VIEWS'

/** One thing in all answers and events that show it. The tour also compares what people without rights see. */
export const checks: readonly Check[] = [
  {
    ...everywhere('channel', 'a channel, with its permissions, is the same in every answer and event', channel),
    also: ['get-stream'],
  },
  everywhere('user', 'a user is the same in every answer and event', user),
  everywhere('message', 'a message, with its sender and recipients, is the same in every answer and event', message),
  {
    ...everywhere('presence', 'the presence of a user is the same in every answer and event', presence),
    also: ['get-all-presence'],
  },
]

function everywhere(noun: string, title: string, run: Check['run']): Check {
  return { area: 'Views', requirements: [rule], id: `everywhere/${noun}`, title, run }
}

/** A place where a thing appears, its value there, and fields that are not compared. */
type Shown = readonly [exchange: Exchange, where: string, value: Json, except?: readonly string[]]

/** Checks that fields that two places share are equal. */
function agree(t: CheckContext, what: string, places: readonly Shown[]): void {
  const agreement = new Agreement()
  const [, there = '', first] = places[0] ?? []
  for (const [exchange, where, value, except] of places) {
    if (!t.that(rule, exchange, isObject(value), `${what} in ${where}`)) continue
    agreement.sameFields(exchange, `${what} in ${where}`, value, first, there, except)
  }
  for (const { exchange, expected } of agreement.disagreements) t.that(rule, exchange, false, expected)
}

async function channel(t: CheckContext): Promise<void> {
  const reader = await t.user()
  const admin = t.deployment.atLeast('administrator')
  const maker = admin === undefined || admin === reader ? await t.user() : admin
  const people = { direct_members: [maker.userId, reader.userId], direct_subgroups: [] }
  const named = maker === admin && t.level >= 320 ? permissionsOf(t) : []
  // As in GET /users/me/subscriptions.
  const options = { include_subscribers: 'true', client_capabilities: { notification_settings_null: true } }
  const queue = await listen(reader, ['subscription', 'stream'], options)
  // Differs from the default.
  const policies = t.isParley && maker === admin ? { topics_policy: 'allow_empty_topic' } : {}
  const wishes = { ...policies, ...Object.fromEntries(named.map((name) => [name, people])) }
  const { id: stream_id } = await t.channel(maker, [reader], false, wishes)
  const state = await reader.must('register-queue', { event_types: ['subscription', 'stream'], ...options })
  const [listed, own] = [await reader.must('get-streams'), await reader.must('get-subscriptions')]
  const alone = await reader.must('get-stream', { stream_id })
  const in_ = (list: Json): Json => listOf(list).find((one) => one.stream_id === stream_id)
  const told = await queue.until(({ op, subscriptions }) => op === 'add' && in_(subscriptions) !== undefined)
  const created = told.events.find(({ op, streams }) => op === 'create' && in_(streams) !== undefined)
  // The server's estimates, and fields that the first message or the first subscriber changes.
  const early = [...estimates, 'first_message_id', 'is_recently_active', 'subscriber_count']
  const earlier = t.isParley ? estimates : early // others may count before they add
  const places: Shown[] = [
    [state, '`subscriptions` of POST /register', in_(state.body.subscriptions)],
    [listed, 'GET /streams', in_(listed.body.streams), estimates],
    [own, 'GET /users/me/subscriptions', in_(own.body.subscriptions), estimates],
    [told.exchange, 'the event of the subscription', in_(told.event?.subscriptions), earlier],
    [told.exchange, 'the event of its creation', in_(created?.streams), early],
    [alone, 'GET /streams/{stream_id}', alone.body.stream, estimates],
  ]
  agree(t, `channel ${stream_id}`, places)
}

/** The permission settings of a channel; on other servers, which may refuse some, only one. */
function permissionsOf({ deployment, isParley }: CheckContext): string[] {
  const names = operationNamed(deployment.contract, 'subscribe').parameters.map(({ name }) => name)
  return isParley ? names.filter((name) => /^can_\w+_group$/.test(name)) : ['can_remove_subscribers_group']
}

async function user(t: CheckContext): Promise<void> {
  const watcher = await t.user()
  const options = { client_gravatar: false }
  const types = ['realm_user', 'custom_profile_fields']
  const queue = await listen(watcher, types, options)
  const made = await t.newUser(true)
  const told = await queue.until((event) => event.op === 'add' && event.person?.user_id === made.userId)
  const full = { ...options, include_custom_profile_fields: true }
  const state = await watcher.must('register-queue', { event_types: types, ...options })
  const all = await watcher.must('get-users', full)
  // Given accounts have other roles, and may be bots.
  for (const one of [made, ...t.deployment.given]) {
    const in_ = (list: Json): Json => listOf(list).find(({ user_id: id }) => id === one.userId)
    const alone = await watcher.must('get-user', { user_id_or_email: one.userId, ...full })
    const places: Shown[] = [
      [alone, 'GET /users/{user_id}', alone.body.user],
      [all, 'GET /users', in_(all.body.members)],
      [state, '`realm_users` of POST /register', in_(state.body.realm_users)],
    ]
    if (one === made) places.push([told.exchange, 'the event of its creation', told.event?.person])
    agree(t, `user ${one.userId}`, places)
  }
}

async function message(t: CheckContext): Promise<void> {
  const { user: reader, other: author } = await t.scene()
  const third = await t.user()
  const options = { client_gravatar: false, apply_markdown: true }
  const queue = await listen(reader, ['message'], options)
  const made = await t.channel(author, [reader])
  const ids = [await post(author, made, 'everywhere', 'Hello.'), await postTo(author, [reader, third], '/me is here.')]
  const people = await Promise.all(
    [author, reader, third].map(({ userId }) =>
      reader.must('get-user', { user_id_or_email: userId, client_gravatar: false }),
    ),
  )
  const list = await reader.must('get-messages', { anchor: ids[0], num_before: 0, num_after: 100, ...options })
  const [sender] = people
  for (const id of ids) {
    const what = `message ${id}`
    const told = await queue.until({ type: 'message', message: { id } })
    const one = listOf(list.body.messages).find((each) => each.id === id)
    const event = told.event && { ...told.event.message, flags: told.event.flags }
    const places: Shown[] = [
      [list, 'GET /messages', one],
      [told.exchange, 'its event', event],
    ]
    agree(t, what, places)
    for (const [exchange, , value] of places) {
      const { sender_full_name: full_name, sender_email: email, avatar_url, display_recipient: to } = value ?? {}
      for (const [where, person] of [
        [sender, { full_name, email, avatar_url }] as const,
        ...listOf(to).map((each) => [people.find(({ body }) => body.user.user_id === each.id), each] as const),
      ]) {
        const known = where?.body.user
        if (!t.that(rule, exchange, known !== undefined, `${what} to people who have part in it`)) continue
        for (const name of ['full_name', 'email', 'avatar_url']) {
          if (person[name] === undefined) continue
          const says = `\`${name}\` of user ${known.user_id} in ${what} is ${JSON.stringify(known[name])}`
          t.that(rule, exchange, person[name] === known[name], says)
        }
      }
    }
  }
}

async function presence(t: CheckContext): Promise<void> {
  const [reader, there] = [await t.user(), await t.user()]
  await there.must('update-presence', { status: 'active' })
  const known = await reader.must('get-user', { user_id_or_email: there.userId })
  const { email } = known.body.user
  const ask = (): Promise<Exchange> => reader.must('get-presence', { user_id_or_email: there.userId })
  const alone = await answerWhen(reader, ask, ({ body }) => body.presence?.website !== undefined)
  const all = await reader.must('get-all-presence')
  const state = await reader.must('register-queue', { event_types: ['presence'] })
  const slim = await reader.must('register-queue', { event_types: ['presence'], slim_presence: true })
  const isClose = Math.abs(all.body.server_timestamp - clockOf(all)) < 86_400
  t.that(rule, all, isClose, '`server_timestamp` is now, in seconds')
  const what = `the presence of user ${there.userId}`
  for (const client of ['aggregated', 'website']) {
    agree(t, `\`${client}\` of ${what}`, [
      [alone, 'GET /users/{user_id}/presence', alone.body.presence?.[client]],
      [all, 'GET /realm/presence', all.body.presences?.[email]?.[client]],
      [state, 'POST /register', state.body.presences?.[email]?.[client]],
    ])
  }
  const { active_timestamp: active } = slim.body.presences?.[there.userId] ?? {}
  const { timestamp } = alone.body.presence?.aggregated ?? {}
  t.that(rule, slim, active === timestamp, `\`active_timestamp\` of ${what} is ${timestamp}; but it is ${active}`)
}
