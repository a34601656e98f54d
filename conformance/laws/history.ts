import { withFlags } from '../../client/state/flags.ts'
import { deletedIn, withChanges } from '../../client/state/message-changes.ts'
import type { WireMessage } from '../../client/state/messages.ts'
import { withReactions } from '../../client/state/reactions.ts'
import type { WireEvent } from '../../client/state/state.ts'
import type { World } from './world.ts'

type ReceivedMessage = WireMessage & {
  readonly flags: readonly string[]
  readonly content?: string
  readonly reactions?: readonly { readonly user_id: number; readonly emoji_name: string }[]
}

/** Flags that mean the same on all servers. */
const flags = ['read', 'starred', 'mentioned']

interface Reading {
  /** Id of the newest message when the client registered. */
  readonly newestBefore: number
  readonly applyMarkdown: boolean
}

/**
 * The world's messages by id: as events tell them, and as GET /messages returns them. Messages in channels that the
 * reader has left are removed.
 *
 * @throws {Error} if an event does not fit those before it
 */
export function histories(
  world: World,
  events: readonly WireEvent[],
  fetched: readonly ReceivedMessage[],
  { newestBefore, applyMarkdown }: Reading,
): [told: unknown, is: unknown] {
  const ours = new Set(world.messages.map(({ id }) => id))
  const left = new Set(events.flatMap(leftBy))
  const isLookedAt = (message: ReceivedMessage): boolean =>
    ours.has(message.id) && !left.has(message.stream_id ?? 0) && !message.flags.includes('historical')
  const received = events.flatMap((event) => (event.type === 'message' ? [withOwnFlags(event)] : [])).filter(isLookedAt)
  const changed = withReactions(withChanges(received, events, applyMarkdown), events)
  const deleted = deletedIn(events)
  return [
    byId(withFlags(changed, events)),
    byId(fetched.filter((one) => isLookedAt(one) && (one.id > newestBefore || deleted.has(one.id)))),
  ]
}

function withOwnFlags(event: WireEvent): ReceivedMessage {
  return { ...(event.message as ReceivedMessage), flags: event.flags as readonly string[] }
}

function leftBy(event: WireEvent): number[] {
  if (event.type === 'subscription' && event.op === 'remove') {
    return (event.subscriptions as { readonly stream_id: number }[]).map(({ stream_id: id }) => id)
  }
  return event.type === 'stream' && event.op === 'delete' ? ((event.stream_ids ?? []) as number[]) : []
}

function byId(messages: readonly ReceivedMessage[]): Record<number, unknown> {
  return Object.fromEntries(
    messages.map((message) => [
      message.id,
      {
        content: message.content,
        topic: message.subject,
        flags: message.flags.filter((flag) => flags.includes(flag)).toSorted(),
        reactions: (message.reactions ?? []).map((one) => `${one.user_id} ${one.emoji_name}`).toSorted(),
      },
    ]),
  )
}
