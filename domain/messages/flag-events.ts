import type { UpdateMessageFlagsEvent } from '../events/log-event.ts'
import type { MessageId } from '../ids.ts'

type Flag = UpdateMessageFlagsEvent['flag']

/** @param all whether these are all messages of the whole history */
export function flagAdded(flag: Flag, messages: readonly MessageId[], all = false) {
  return {
    type: 'update_message_flags',
    op: 'add',
    operation: 'add',
    flag,
    messages: [...messages],
    all,
  } as const satisfies UpdateMessageFlagsEvent
}

export function flagRemoved(flag: Flag, messages: readonly MessageId[]) {
  return {
    type: 'update_message_flags',
    op: 'remove',
    operation: 'remove',
    flag,
    messages: [...messages],
    all: false,
  } as const satisfies UpdateMessageFlagsEvent
}
