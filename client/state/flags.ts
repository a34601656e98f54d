import { addUnread, type MessageFields, type WireMessage } from './messages.ts'
import { ascending } from './order.ts'
import { type ClientPart, type ClientState, MisfitError, type WireEvent } from './state.ts'
import { dropIds, type UnreadFields } from './unread.ts'

export interface FlagFields {
  starred_messages: number[]
}

interface Details {
  readonly type: 'stream' | 'private'
  readonly mentioned?: true
  readonly user_ids?: readonly number[]
  readonly stream_id?: number
  readonly topic?: string
}

interface FlagsEvent extends WireEvent {
  readonly op: 'add' | 'remove'
  readonly flag: string
  readonly messages: readonly number[]
  readonly all: boolean
  readonly message_details?: Readonly<Record<string, Details>>
}

type State = FlagFields & MessageFields & UnreadFields & ClientState

export const part: ClientPart<FlagFields & MessageFields & UnreadFields> = {
  fetched: ['starred_messages', 'update_message_flags'],
  empty: { starred_messages: [] },
  apply: {
    'update_message_flags add': (state: State, { flag, messages, all }: FlagsEvent) => {
      if (flag === 'starred') state.starred_messages.push(...messages)
      const read = new Set(messages)
      if (flag === 'read') dropIds(state, (id) => all || read.has(id))
    },
    'update_message_flags remove': (state: State, { flag, messages, message_details: details }: FlagsEvent) => {
      if (flag === 'starred') state.starred_messages = state.starred_messages.filter((id) => !messages.includes(id))
      if (flag !== 'read') return
      for (const id of messages) {
        const one = details?.[id]
        if (!one) throw new MisfitError(`message ${id} became unread, and nothing is said of where it is`)
        addUnread(state as never, asMessage(state, id, one), one.mentioned ? ['mentioned'] : [])
      }
    },
  },
  normalize: (state) => ({ starred_messages: state.starred_messages.toSorted(ascending) }),
  view: ({ starred_messages: ids }, { messages }) => ({
    starred: ids.filter((id) => messages.has(id)).toSorted(ascending),
  }),
}

function asMessage({ user_id: self }: ClientState, id: number, details: Details): WireMessage {
  if (details.type === 'stream') {
    return {
      id,
      type: 'stream',
      sender_id: 0,
      stream_id: details.stream_id ?? 0,
      subject: details.topic ?? '',
      display_recipient: '',
    }
  }
  return {
    id,
    type: 'private',
    sender_id: 0,
    subject: '',
    display_recipient: [self, ...(details.user_ids ?? [])].map((userId) => ({ id: userId })),
  }
}

/** Returns the received `messages` with the flags that changed afterwards. Flags are sorted. */
export function withFlags<Message extends { readonly id: number; readonly flags: readonly string[] }>(
  messages: readonly Message[],
  events: readonly WireEvent[],
): Message[] {
  const flagsOf = new Map<number, Set<string>>()
  const flagsAtSending = new Map(messages.map((message) => [message.id, message.flags]))
  for (const event of events) {
    const sent = event.type === 'message' ? (event.message as { id: number }).id : undefined
    if (sent !== undefined) flagsOf.set(sent, new Set(flagsAtSending.get(sent)))
    if (event.type !== 'update_message_flags') continue
    const { op, flag, messages: ids, all } = event as FlagsEvent
    for (const id of all ? flagsOf.keys() : ids) {
      if (op === 'add') flagsOf.get(id)?.add(flag)
      else flagsOf.get(id)?.delete(flag)
    }
  }
  return messages.map((message) => ({ ...message, flags: [...(flagsOf.get(message.id) ?? message.flags)].toSorted() }))
}
