import { linkToTopic, urlOfConversation } from '../markdown/channel-links.ts'
import { cutTo } from '../text/code-points.ts'
import type { Message } from './message.ts'
import { MAX_MESSAGE_LENGTH, TRUNCATION_NOTICE } from './message-content.ts'

/** Markdown that names a user without notifying them. */
export function silentMention({ fullName, id }: { readonly fullName: string; readonly id: number }): string {
  return `@_**${fullName}|${id}**`
}

/** Markdown that says where somebody wrote a message, with a link to it: "wrote in …", to follow a name. */
export function wroteWhere({ place, id }: Message): string {
  if (place.kind === 'channel') {
    return `wrote in ${linkToTopic({ id: place.channelId, name: place.channelName }, place.topic, id)}`
  }
  const memberIds = place.members.map((member) => member.id)
  return `[wrote in a direct message](${urlOfConversation(memberIds, id)})`
}

/**
 * Markdown that quotes `text` between `head` and `end`; the quote is cut if the result would be longer than a message.
 */
export function withQuote(head: string, text: string, end = ''): string {
  const fence = fenceAround(text)
  const rest = [...`${head}\n\n${fence}quote\n\n${fence}${end}`].length
  const quoted = cutTo(text, Math.max(0, MAX_MESSAGE_LENGTH - rest), TRUNCATION_NOTICE)
  return `${head}\n\n${fence}quote\n${quoted}\n${fence}${end}`
}

/** Returns a fence that nothing in `text` closes. */
function fenceAround(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length))
  return '`'.repeat(longest + 1)
}
