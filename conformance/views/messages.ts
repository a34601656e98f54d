import type { Event } from '../deployment/event-queue.ts'
import type { Exchange } from '../wire/http.ts'
import type { Json } from '../wire/values.ts'
import type { Agreement } from './agreement.ts'
import { ask, type Viewer } from './viewer.ts'

/** Number of messages that are compared one by one. */
const fewMessages = 4

/**
 * Messages are the same in lists, alone, in events, and in their history, in every form that can be requested.
 *
 * @returns those that the viewer may read, by id, the oldest first
 */
export async function messagesAgree(viewer: Viewer, agreement: Agreement): Promise<ReadonlyMap<number, Json>> {
  const { world } = viewer
  const range = { anchor: world.messages[0]?.id ?? 0, num_before: 0, num_after: 1000, allow_empty_topic_name: true }
  const [html, markdown] = await Promise.all([
    ask(viewer, 'get-messages', { ...range, apply_markdown: true }),
    ask(viewer, 'get-messages', { ...range, apply_markdown: false }),
  ])
  if (html === undefined || markdown === undefined) return new Map()
  const [rendered, raw] = [ofWorld(viewer, html), ofWorld(viewer, markdown)]
  agreement.sameSet(markdown, 'the set of messages', [...raw.keys()], [...rendered.keys()], 'GET /messages with HTML')
  for (const [id, message] of raw) {
    const other = rendered.get(id)
    agreement.sameFields(markdown, `message ${id}`, message, other, 'GET /messages with HTML', [
      'content',
      'content_type',
    ])
    if (message.is_me_message !== undefined) {
      const isMe = String(message.content).startsWith('/me ')
      agreement.same(markdown, `\`is_me_message\` of message ${id}`, message.is_me_message, isMe, 'its content')
    }
  }
  eventsAgree(viewer, html, viewer.client.apply_markdown === false ? raw : rendered, agreement)
  const ids = [...raw.keys()]
  const changed = ids.filter((id) => raw.get(id)?.last_edit_timestamp !== undefined)
  const voted = ids.filter((id) => raw.get(id)?.reactions?.length > 0)
  const chosen = [...new Set([...voted.slice(0, 2), ...changed.slice(0, 2), ...ids.slice(-fewMessages)])]
  await Promise.all(chosen.map((id) => messageAgrees(viewer, rendered.get(id), raw.get(id), agreement)))
  return rendered
}

function ofWorld({ world }: Viewer, { body }: Exchange): Map<number, Json> {
  const ours = new Set(world.messages.map(({ id }) => id))
  return new Map(body.messages.filter(({ id }: Json) => ours.has(id)).map((message: Json) => [message.id, message]))
}

/**
 * In message events everything that never changes is compared; the rest only until another event is about the message.
 */
const changing = ['sender_full_name', 'sender_email', 'avatar_url', 'reactions', 'flags', 'display_recipient']
const editable = [
  ...['content', 'subject', 'is_me_message', 'topic_links', 'stream_id', 'recipient_id', 'edit_history'],
  ...['last_edit_timestamp', 'last_moved_timestamp'],
]

function eventsAgree(
  { events, world }: Viewer,
  exchange: Exchange,
  messages: ReadonlyMap<number, Json>,
  agreement: Agreement,
): void {
  const idsIn = (wanted: string): Set<number> =>
    new Set(
      events.filter(({ type }) => type === wanted).flatMap((event) => [event.message_id, ...(event.message_ids ?? [])]),
    )
  const edited = idsIn('update_message')
  const deleted = idsIn('delete_message')
  const ours = new Set(world.messages.map(({ id }) => id))
  for (const { type, message } of events as readonly Event[]) {
    const now = type === 'message' ? messages.get(message.id) : undefined
    // A direct message stays, whichever channels its recipients leave.
    if (message?.type === 'private' && ours.has(message.id) && !deleted.has(message.id)) {
      agreement.isSo(exchange, now !== undefined, `message ${message.id}, which an event told`)
    }
    if (now === undefined) continue
    const except = edited.has(message.id) ? [...changing, ...editable] : changing
    agreement.sameFields(exchange, `message ${message.id}`, now, message, 'its event', except)
  }
}

async function messageAgrees(viewer: Viewer, rendered: Json, raw: Json, agreement: Agreement): Promise<void> {
  const message_id: number = raw.id
  const [html, markdown, history] = await Promise.all([
    ask(viewer, 'get-message', { message_id, allow_empty_topic_name: true }),
    ask(viewer, 'get-message', { message_id, apply_markdown: false, allow_empty_topic_name: true }),
    viewer.registered.body.realm_allow_edit_history === false
      ? undefined
      : ask(viewer, 'get-message-history', { message_id }),
  ])
  const what = `message ${message_id}`
  // Only lists let a client ask for avatars it computes itself.
  for (const [exchange, listed] of [
    [html, rendered],
    [markdown, raw],
  ] as const) {
    if (!exchange?.body.message) continue
    agreement.sameFields(exchange, what, exchange.body.message, listed, 'GET /messages', ['avatar_url'])
    agreement.same(exchange, '`raw_content`', exchange.body.raw_content, raw.content, 'GET /messages with Markdown')
  }
  if (history) historyAgrees(viewer, history, [rendered, raw], agreement)
}

function historyAgrees({ t }: Viewer, history: Exchange, [rendered, raw]: readonly Json[], agreement: Agreement): void {
  const entries: readonly Json[] = history.body.message_history
  const [last, what] = [entries.at(-1), `message ${raw.id}`]
  agreement.same(history, `the newest \`content\` of ${what}`, last?.content, raw.content, 'GET /messages')
  const says = `the newest \`rendered_content\` of ${what}`
  agreement.same(history, says, last?.rendered_content, rendered.content, 'GET /messages')
  const changed = entries.findLast(({ prev_content: content }) => content !== undefined)
  const when = raw.last_edit_timestamp
  // Before level 365, moves have that time, too.
  if (t.level >= 365 || changed === last || entries.length === 1) {
    agreement.same(history, `the time of the last edit of ${what}`, changed?.timestamp, when, 'GET /messages')
  }
  if (raw.edit_history) {
    const times = entries.slice(1).map(({ timestamp }) => timestamp)
    const there = raw.edit_history.map(({ timestamp }: Json) => timestamp).toReversed()
    agreement.same(history, `the list of the times of edits of ${what}`, times, there, '`edit_history`')
  }
}
