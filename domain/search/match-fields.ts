import type { Message } from '../messages/message.ts'
import { topicForOutput } from '../topics/topics.ts'
import { highlightedHtml, highlightedText } from './highlight.ts'
import type { SearchQuery } from './query.ts'

/**
 * `match_content` and `match_subject`: HTML of a message and its topic, with the finds of a search marked (NARROW-7 to
 * NARROW-10).
 */
export function matchFields(
  { place, renderedContent }: Message,
  query: SearchQuery,
  allowEmptyTopicName: boolean,
): { match_content: string; match_subject: string } {
  const topic = place.kind === 'direct' ? '' : topicForOutput(place.topic, allowEmptyTopicName)
  return { match_content: highlightedHtml(query, renderedContent), match_subject: highlightedText(query, topic) }
}
