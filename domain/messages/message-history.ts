import { topicForOutput } from '../topics/topics.ts'
import { placedEntries, type SeesPlace, withoutOrigin } from './former-places.ts'
import { type DiffBudget, htmlDiff } from './html-diff.ts'
import type { EditHistoryPolicy, Message } from './message.ts'
import { visibleEditHistory } from './message.ts'

/** Limits for comparing the versions of one message, beginning with the newest. */
const COMPARISONS = { pairs: 1_000_000, characters: 100_000 } as const

export interface HistoryFormat {
  readonly policy: EditHistoryPolicy
  readonly allowEmptyTopicName: boolean
  /** Whether the reader can see the message's former state in a place (DIFF-FORMER-PLACES). */
  readonly sees: SeesPlace
}

/**
 * Yields the versions of a message, newest first: one for each visible change, then the original. Going back from the
 * present, each change contains the state before it. Each version is compared with the previous one. If the reader
 * cannot see the original, the oldest visible version stands for it.
 */
export function* messageVersions(message: Message, { policy, allowEmptyTopicName, sees }: HistoryFormat) {
  const { place } = message
  const named = (topic: string): string =>
    place.kind === 'channel' ? topicForOutput(topic, allowEmptyTopicName) : topic
  let version: Version = {
    topic: place.kind === 'channel' ? place.topic : '',
    content: message.content,
    html: message.renderedContent,
  }
  let oldest = version
  const budget: DiffBudget = { ...COMPARISONS }
  const history = visibleEditHistory(message.editHistory, policy)
  for (const { entry, wasIn, isIn } of placedEntries(history, place.kind === 'channel' ? place.channelId : null)) {
    if (sees(isIn)) {
      const { prev_stream, prev_topic } = sees(wasIn) ? entry : withoutOrigin(entry)
      yield {
        topic: named(version.topic),
        content: version.content,
        rendered_content: version.html,
        user_id: entry.user_id,
        timestamp: entry.timestamp,
        ...(prev_topic !== undefined && { prev_topic: named(prev_topic) }),
        ...(prev_stream !== undefined && { prev_stream }),
        ...(entry.stream !== undefined && { stream: entry.stream }),
        ...(entry.prev_content !== undefined && {
          prev_content: entry.prev_content,
          prev_rendered_content: entry.prev_rendered_content ?? '',
          content_html_diff: htmlDiff(entry.prev_rendered_content ?? '', version.html, budget),
        }),
      }
    }
    version = {
      topic: entry.prev_topic ?? version.topic,
      content: entry.prev_content ?? version.content,
      html: entry.prev_rendered_content ?? version.html,
    }
    if (sees(wasIn)) oldest = version
  }
  yield {
    topic: named(oldest.topic),
    content: oldest.content,
    rendered_content: oldest.html,
    user_id: message.sender.id as number,
    timestamp: message.sentAt,
  }
}

interface Version {
  readonly topic: string
  readonly content: string
  readonly html: string
}
