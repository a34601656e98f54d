import type { Account } from '../../deployment/account.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import type { Exchange } from '../../wire/http.ts'
import { canonical, isObject, type Json, listOf, objectsIn } from '../../wire/values.ts'

/** The subjects of a snapshot, which nobody else changes meanwhile. */
export interface Frame {
  readonly userIds: ReadonlySet<number>
  /** Only the first is also fetched alone. */
  readonly channelIds: readonly number[]
  /** Oldest first. */
  readonly messageIds: readonly number[]
}

/** A field in one place. */
interface Shown {
  /** JSON. */
  readonly text: string
  readonly exchange: Exchange
}

/** Everything that one reader sees, by subject, field and place, such as `message 7 flags get-message`. */
export type Snapshot = ReadonlyMap<string, Shown>

/** What differs, in words, and an exchange that shows it. @param when such as `as before a deed` */
export function* changesOf(before: Snapshot, after: Snapshot, when: string): Iterable<[Exchange, string]> {
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(key), after.get(key)]
    const one = is ?? was
    if (one === undefined || was?.text === is?.text) continue
    yield [one.exchange, `${key} is ${was?.text ?? 'absent'} ${when}; but it is ${is?.text ?? 'absent'}`]
  }
}

/** Estimates, and fields that change with time alone. */
const volatile = new Set(['stream_weekly_traffic', 'is_recently_active', 'max_message_id'])
const unordered = new Set(['subscribers', 'flags', 'user_ids', 'direct_members', 'direct_subgroups'])
/** Number of messages that are also fetched one by one. */
const fewMessages = 3

/** @param reader subscribed to both channels, or only to the first */
export async function snapshotOf(t: CheckContext, frame: Frame, reader: Account): Promise<Snapshot> {
  const shown = new Map<string, Shown>()
  const note = (place: string, exchange: Exchange, subject: string, fields: Json): void => {
    if (!isObject(fields)) return
    for (const [field, value] of Object.entries(fields)) {
      if (!volatile.has(field)) shown.set(`${subject} ${field} ${place}`, { text: textOf(field, value), exchange })
    }
  }
  const ask = async (operation: string, values: object, see: (exchange: Exchange) => void): Promise<void> => {
    if (!t.deployment.isAsked(operation)) return
    const exchange = await reader.call(operation, reader.known(operation, { ...values }))
    if (exchange.status === 200) see(exchange)
    else note(operation, exchange, `${operation} ${JSON.stringify(values)}`, { code: exchange.body?.code })
  }
  const noteMessage = (place: string, exchange: Exchange, message: Json): void => {
    if (!frame.messageIds.includes(message.id)) return
    const { display_recipient: people, ...fields } = message
    note(place, exchange, `message ${message.id}`, Array.isArray(people) ? fields : message)
    for (const { id, ...person } of objectsIn(people))
      note(place, exchange, `message ${message.id} to user ${id}`, person)
  }
  const noteChannel = (place: string, exchange: Exchange, channel: Json): void => {
    if (frame.channelIds.includes(channel.stream_id)) note(place, exchange, `channel ${channel.stream_id}`, channel)
  }
  const noteUser = (place: string, exchange: Exchange, user: Json): void => {
    if (frame.userIds.has(user.user_id)) note(place, exchange, `user ${user.user_id}`, user)
  }
  const range = { anchor: frame.messageIds[0] ?? 0, num_before: 0, num_after: 200, allow_empty_topic_name: true }
  const [open = 0] = frame.channelIds
  const chosen = frame.messageIds.slice(0, fewMessages)
  await Promise.all([
    ...[true, false].map((apply_markdown) =>
      ask('get-messages', { ...range, apply_markdown }, (exchange) => {
        const place = `GET /messages ${apply_markdown}`
        for (const one of exchange.body.messages) noteMessage(place, exchange, one)
      }),
    ),
    ...chosen.flatMap((message_id) => [
      ask('get-message', { message_id, allow_empty_topic_name: true }, (exchange) => {
        noteMessage('GET /messages/{id}', exchange, exchange.body.message)
        note('GET /messages/{id}', exchange, `message ${message_id}`, { raw_content: exchange.body.raw_content })
      }),
      ask('get-message-history', { message_id }, (exchange) => {
        for (const [index, one] of objectsIn(exchange.body.message_history).entries()) {
          note(`history ${index}`, exchange, `message ${message_id}`, { history: one })
        }
      }),
      ask('get-read-receipts', { message_id }, (exchange) => {
        note('receipts', exchange, `message ${message_id}`, { user_ids: exchange.body.user_ids })
      }),
    ]),
    ask('get-stream-topics', { stream_id: open, allow_empty_topic_name: true }, (exchange) => {
      for (const { name, max_id } of objectsIn(exchange.body.topics))
        note('topics', exchange, `topic ${name}`, { max_id })
    }),
    ask('get-subscriptions', { include_subscribers: 'true' }, (exchange) => {
      for (const one of exchange.body.subscriptions) noteChannel('GET /users/me/subscriptions', exchange, one)
    }),
    ask('get-streams', {}, (exchange) => {
      for (const one of exchange.body.streams) noteChannel('GET /streams', exchange, one)
    }),
    ask('get-stream', { stream_id: open }, (exchange) =>
      noteChannel('GET /streams/{id}', exchange, exchange.body.stream),
    ),
    ask('get-subscribers', { stream_id: open }, (exchange) => {
      note('members', exchange, `channel ${open}`, { subscribers: exchange.body.subscribers })
    }),
    ask('get-users', { include_custom_profile_fields: true }, (exchange) => {
      for (const one of exchange.body.members) noteUser('GET /users', exchange, one)
    }),
    ...[...frame.userIds].flatMap((user_id) => [
      ask('get-user', { user_id_or_email: user_id }, (exchange) =>
        noteUser('GET /users/{id}', exchange, exchange.body.user),
      ),
      ask('get-user-status', { user_id }, (exchange) => {
        note('status', exchange, `status of ${user_id}`, { status: exchange.body.status })
      }),
    ]),
    ask('get-own-user', {}, (exchange) => noteUser('GET /users/me', exchange, exchange.body)),
    ask('get-alert-words', {}, (exchange) => {
      note('alert words', exchange, 'own', { alert_words: listOf(exchange.body.alert_words).toSorted() })
    }),
    ask('get-bot-storage', {}, (exchange) => note('bot storage', exchange, 'own', { storage: exchange.body.storage })),
    ask('get-attachments', {}, (exchange) => {
      for (const one of objectsIn(exchange.body.attachments)) note('attachments', exchange, `file ${one.id}`, one)
    }),
    reader
      .must('register-queue', {
        fetch_event_types: [...types],
        include_subscribers: 'true',
        client_capabilities: capabilities,
      })
      .then((exchange) => noteState(exchange)),
  ])
  return shown

  function noteState(exchange: Exchange): void {
    const { body } = exchange
    for (const list of ['subscriptions', 'unsubscribed', 'never_subscribed']) {
      for (const one of objectsIn(body[list])) noteChannel('POST /register', exchange, { ...one, list })
    }
    for (const one of [...objectsIn(body.realm_users), ...objectsIn(body.realm_non_active_users)])
      noteUser('POST /register', exchange, one)
    for (const id of frame.userIds)
      note('POST /register', exchange, `status of ${id}`, { status: body.user_status?.[id] ?? {} })
    for (const one of objectsIn(body.user_topics)) {
      note('POST /register', exchange, `policy for ${one.stream_id} ${one.topic_name}`, one)
    }
    for (const { id } of objectsIn(body.muted_users)) note('POST /register', exchange, 'own', { [`muted ${id}`]: true })
    note('POST /register', exchange, 'setting', body.user_settings)
    const unread = new Set(unreadIn(body.unread_msgs))
    for (const id of frame.messageIds) {
      const flags = { unread: unread.has(id), starred: listOf(body.starred_messages).includes(id) }
      note('POST /register', exchange, `message ${id}`, flags)
    }
  }
}

const types = [
  ...['message', 'update_message_flags', 'starred_messages', 'subscription', 'realm_user', 'user_status', 'user_topic'],
  ...['muted_users', 'user_settings'],
] as const
const capabilities = { notification_settings_null: true, archived_channels: true, empty_topic_name: true }

function unreadIn(unread: Json): number[] {
  return ['streams', 'pms', 'huddles'].flatMap((name) =>
    objectsIn(unread?.[name]).flatMap((one) => listOf(one.unread_message_ids) as number[]),
  )
}

function textOf(name: string, value: Json): string {
  return canonical(unordered.has(name) && Array.isArray(value) ? value.toSorted(inOrder) : value)
}

/** Compares numbers, such as ids, or texts. */
function inOrder(one: Json, other: Json): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one) < String(other) ? -1 : 1
}
