import { topicForOutput } from '../topics/topics.ts'
import { type DiffBudget, htmlDiff } from './html-diff.ts'
import type { EditHistoryPolicy, Message } from './message.ts'
import { visibleEditHistory } from './message.ts'

/** What comparing the versions of one message may cost, beginning with the newest. */
const COMPARISONS = { pairs: 1_000_000, characters: 100_000 } as const

export interface HistoryFormat {
  readonly policy: EditHistoryPolicy
  readonly allowEmptyTopicName: boolean
}

/**
 * The versions that a message has had, newest first: one for each visible change, then the first as it was sent. Going
 * back from the present, each change says what was there before it; each version is compared with the one before.
 */
export function* messageVersions(message: Message, { policy, allowEmptyTopicName }: HistoryFormat) {
  const { place } = message
  const named = (topic: string): string =>
    place.kind === 'channel' ? topicForOutput(topic, allowEmptyTopicName) : topic
  let topic = place.kind === 'channel' ? place.topic : ''
  let { content, renderedContent: html } = message
  const budget: DiffBudget = { ...COMPARISONS }
  for (const entry of visibleEditHistory(message.editHistory, policy)) {
    yield {
      topic: named(topic),
      content,
      rendered_content: html,
      user_id: entry.user_id,
      timestamp: entry.timestamp,
      ...(entry.prev_topic !== undefined && { prev_topic: named(entry.prev_topic) }),
      ...(entry.prev_stream !== undefined && { prev_stream: entry.prev_stream }),
      ...(entry.stream !== undefined && { stream: entry.stream }),
      ...(entry.prev_content !== undefined && {
        prev_content: entry.prev_content,
        prev_rendered_content: entry.prev_rendered_content ?? '',
        content_html_diff: htmlDiff(entry.prev_rendered_content ?? '', html, budget),
      }),
    }
    topic = entry.prev_topic ?? topic
    content = entry.prev_content ?? content
    html = entry.prev_rendered_content ?? html
  }
  yield {
    topic: named(topic),
    content,
    rendered_content: html,
    user_id: message.sender.id as number,
    timestamp: message.sentAt,
  }
}
