import type { FlagFields } from './flags.ts'
import { addUnread, hasMention, type MessageFields, type WireMessage } from './messages.ts'
import { keyOf, type RecentDirectFields } from './recent-direct.ts'
import { type ClientPart, type ClientState, MisfitError, type WireEvent } from './state.ts'
import { dropIds, isSameTopic, type UnreadFields } from './unread.ts'

interface UpdateMessage extends WireEvent {
  /** Null if the server made the change. */
  readonly user_id: number | null
  /** Whether only the rendered HTML changed. */
  readonly rendering_only: boolean
  readonly message_id: number
  readonly message_ids: readonly number[]
  readonly flags: readonly string[]
  readonly edit_timestamp: number
  /** The channel before the change. */
  readonly stream_id?: number
  readonly new_stream_id?: number
  /** Only in moves. */
  readonly orig_subject?: string
  readonly subject?: string
  /** Only in edits. */
  readonly orig_content?: string
  readonly orig_rendered_content?: string
  readonly content?: string
  readonly rendered_content?: string
  readonly is_me_message?: boolean
}
interface DeleteMessage extends WireEvent {
  readonly message_ids?: readonly number[]
  readonly message_id?: number
}
interface Submessage extends WireEvent {
  readonly message_id: number
  readonly sender_id: number
  readonly msg_type: string
  readonly content: string
  readonly submessage_id: number
}

type NewestFields = Pick<MessageFields, 'max_message_id'> & RecentDirectFields
type State = MessageFields & FlagFields & UnreadFields & RecentDirectFields & ClientState

export const part: ClientPart<MessageFields & FlagFields & UnreadFields & RecentDirectFields> = {
  apply: {
    update_message: (state, event: UpdateMessage) => {
      const { message_id: id, flags } = event
      if (event.orig_subject !== undefined) moveUnread(state, event)
      const { unread_msgs: unread } = state
      unread.mentions = unread.mentions.filter((one) => one !== id)
      const isUnread = [...unread.pms, ...unread.streams, ...unread.huddles].some((one) =>
        one.unread_message_ids.includes(id),
      )
      if (isUnread && hasMention(flags)) unread.mentions.push(id)
    },
    delete_message: (state, event: DeleteMessage) => {
      for (const id of deletedBy(event)) forget(state, id)
    },
    // Submessages are not part of the state: `withChanges` adds them to their message.
    submessage: () => undefined,
    // Not kept in the state.
    typing: () => undefined,
    typing_edit_message: () => undefined,
  },
}

/** Messages that were unread in the old topic are unread in the new one, if the user is subscribed to its channel. */
function moveUnread(
  state: State,
  { message_ids: ids, stream_id, new_stream_id, orig_subject, subject }: UpdateMessage,
): void {
  const { unread_msgs: unread } = state
  const moved = new Set(ids)
  const left = unread.streams.flatMap((one) => one.unread_message_ids.filter((id) => moved.has(id)))
  const mentions = new Set(unread.mentions)
  dropIds(state, (id) => moved.has(id))
  const place = {
    type: 'stream',
    stream_id: new_stream_id ?? stream_id ?? 0,
    subject: subject ?? orig_subject ?? '',
  } as const
  for (const id of left) {
    const message = { ...place, id, sender_id: 0, display_recipient: '' }
    addUnread(state as never, message, mentions.has(id) ? ['mentioned'] : [])
  }
}

function forget(state: State, id: number): void {
  state.starred_messages = state.starred_messages.filter((one) => one !== id)
  dropIds(state, (one) => one === id)
  // No event says which message is now the newest.
  if (state.max_message_id === id) state.max_message_id = NEWEST_DELETED
  for (const conversation of state.recent_private_conversations) {
    if (conversation.max_message_id === id) conversation.max_message_id = NEWEST_DELETED
  }
}

/** Stands for the newest message after its deletion, until the next one arrives. */
const NEWEST_DELETED = -2

/**
 * Removes values that no event contains: the ID of the newest message after the newest one was deleted, overall and in
 * each direct-message conversation.
 *
 * @param isNewestUntold whether the newest message was deleted without an event
 */
export function withoutDeletedNewest<State extends NewestFields>(
  expected: State,
  present: State,
  isNewestUntold: boolean,
): [State, State] {
  const unknown = expected.recent_private_conversations.filter((one) => one.max_message_id === NEWEST_DELETED)
  const keys = new Set(unknown.map(keyOf))
  const known = (state: State): State => ({
    ...state,
    recent_private_conversations: state.recent_private_conversations.filter((one) => !keys.has(keyOf(one))),
  })
  const isKnown = expected.max_message_id !== NEWEST_DELETED && !isNewestUntold
  return [known(isKnown ? expected : { ...expected, max_message_id: present.max_message_id }), known(present)]
}

function deletedBy(event: DeleteMessage): readonly number[] {
  if ((event.message_ids === undefined) === (event.message_id === undefined)) {
    throw new MisfitError(`a deletion names its messages in one way: ${JSON.stringify(event)}`)
  }
  return event.message_ids ?? [event.message_id ?? 0]
}

export function deletedIn(events: readonly WireEvent[]): Set<number> {
  return new Set(events.flatMap((event) => (event.type === 'delete_message' ? deletedBy(event as DeleteMessage) : [])))
}

const ABOUT_ONE = ['submessage', 'typing_edit_message', 'reaction']

function idsOf(event: WireEvent): readonly number[] {
  if (event.type === 'update_message') return (event as UpdateMessage).message_ids
  return ABOUT_ONE.includes(event.type) ? [event.message_id as number] : []
}

/** Returns the received `messages` without the ones deleted afterwards, and with later edits and additions. */
export function withChanges<Message extends WireMessage & { readonly flags: readonly string[] }>(
  messages: readonly Message[],
  events: readonly WireEvent[],
  applyMarkdown: boolean,
): Message[] {
  const deleted = deletedIn(events)
  return messages
    .filter((message) => !deleted.has(message.id))
    .map((message) =>
      events
        .filter((event) => idsOf(event).includes(message.id))
        .reduce((changed, event) => withChange(changed, event, applyMarkdown), message),
    )
}

function withChange<Message extends WireMessage>(message: Message, event: WireEvent, applyMarkdown: boolean): Message {
  if (event.type === 'submessage') {
    const { message_id, sender_id, msg_type, content, submessage_id: id } = event as Submessage
    return {
      ...message,
      submessages: [...(message.submessages ?? []), { id, message_id, sender_id, msg_type, content }],
    }
  }
  if (event.type !== 'update_message') return message
  const change = event as UpdateMessage
  if (change.rendering_only) {
    return { ...message, ...(applyMarkdown && { content: change.rendered_content }), flags: change.flags }
  }
  const isEdited = change.content !== undefined && change.message_id === message.id
  const edited = isEdited && {
    content: applyMarkdown ? change.rendered_content : change.content,
    is_me_message: change.is_me_message,
    last_edit_timestamp: change.edit_timestamp,
  }
  const entry = {
    user_id: change.user_id,
    timestamp: change.edit_timestamp,
    ...(isEdited && { prev_content: change.orig_content, prev_rendered_content: change.orig_rendered_content }),
    ...(change.subject !== undefined && { prev_topic: message.subject, topic: change.subject }),
    ...(change.new_stream_id !== undefined && { prev_stream: change.stream_id, stream: change.new_stream_id }),
  }
  return {
    ...message,
    ...edited,
    ...(change.subject !== undefined && { subject: change.subject }),
    ...(change.new_stream_id !== undefined && { stream_id: change.new_stream_id }),
    ...(isMove(change) && { last_moved_timestamp: change.edit_timestamp }),
    ...(change.message_id === message.id && { flags: change.flags }),
    edit_history: [entry, ...(message.edit_history ?? [])],
  }
}

const RESOLVED = '✔ '

/** Whether more than the resolved mark or the case of letters changed. */
function isMove({ orig_subject: from, subject: to, new_stream_id: channelId }: UpdateMessage): boolean {
  if (channelId !== undefined) return true
  if (from === undefined || to === undefined) return false
  return ![`${RESOLVED}${from}`, from].some((name) => isSameTopic(name, to)) && !isSameTopic(from, `${RESOLVED}${to}`)
}
