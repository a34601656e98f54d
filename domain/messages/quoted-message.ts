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
 * Each line has its own mark, because a fence in `text` without an end would also contain the end of a fence around it.
 */
export function withQuote(head: string, text: string, end = ''): string {
  const quoted = text
    .split(/\r\n?|\n/)
    .map((line) => `> ${line}`)
    .join('\n')
  const rest = [...`${head}\n\n${end}`].length
  return `${head}\n\n${cutTo(quoted, Math.max(0, MAX_MESSAGE_LENGTH - rest), TRUNCATION_NOTICE)}${end}`
}
