import type { StateInline, Token } from 'markdown-it'
import { EMPTY_TOPIC_DISPLAY_NAME, isTopic, normalizeTopicInput } from '../topics/topics.ts'
import { escapeHtml } from './escape-html.ts'
import { overlappingMatches } from './overlapping.ts'
import { type LinkableChannel, scopeOf } from './scope.ts'

/** `#**channel**`, `#**channel>topic**` or `#**channel>topic@123**`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: names have no control characters
const CHANNEL_LINK = /#\*\*([^*\0-\x1f\x7f]{1,300})\*\*/
const WHOLE_LINK = new RegExp(`^${CHANNEL_LINK.source}$`)
const LINK_HERE = new RegExp(CHANNEL_LINK, 'y')
const ALL_LINKS = new RegExp(CHANNEL_LINK, 'g')
const MESSAGE_ID = /@(\d{1,15})$/
const MAY_PRECEDE_LINK = /[\s'"/<,:;\p{Ps}\p{Pi}]/u
const HASH = 0x23

/** The parts of a link; no topic in a link to a channel. */
interface LinkParts {
  readonly channelName: string
  /** Stored form: '' is the empty topic. */
  readonly topic: string | undefined
  readonly messageId: number | undefined
}

interface ChannelLink extends Omit<LinkParts, 'channelName'> {
  readonly channel: LinkableChannel
  readonly latestMessageId: number | undefined
}

/** Returns channels and topics that links in `content` may need, each once. A superset, because code counts too. */
export function channelCandidates(content: string): {
  channelNames: string[]
  topics: { channelName: string; topic: string }[]
} {
  const channelNames = new Set<string>()
  const topics = new Map<string, { channelName: string; topic: string }>()
  if (content.includes('#**')) {
    for (const [, body] of overlappingMatches(ALL_LINKS, content)) {
      for (const { channelName, topic, messageId } of readingsOf(body as string)) {
        channelNames.add(channelName)
        if (topic !== undefined && messageId === undefined)
          topics.set(`${channelName}>${topic}`, { channelName, topic })
      }
    }
  }
  return { channelNames: [...channelNames], topics: [...topics.values()] }
}

/** Inline rule. A channel outside of the scope stays text, whose asterisks may still mean bold. */
export function channelLinkRule(state: StateInline, isSpeculative: boolean): boolean {
  const { channelOfLink, latestMessageOf } = scopeOf(state)
  if (state.src.charCodeAt(state.pos) !== HASH || channelOfLink === undefined || state.linkLevel > 0) return false
  if (state.pos > 0 && !MAY_PRECEDE_LINK.test(state.src.charAt(state.pos - 1))) return false
  LINK_HERE.lastIndex = state.pos
  const match = LINK_HERE.exec(state.src)
  if (match === null || LINK_HERE.lastIndex > state.posMax) return false
  const end = LINK_HERE.lastIndex
  const parts = readingsOf(match[1] as string).find(({ channelName }) => channelOfLink(channelName) !== undefined)
  const channel = parts && channelOfLink(parts.channelName)
  if (parts === undefined || channel === undefined) return false
  if (!isSpeculative) {
    const { topic, messageId } = parts
    const latestMessageId =
      topic === undefined || messageId !== undefined ? undefined : latestMessageOf?.(channel.id, topic)
    state.push('channel_link', 'a', 0).meta = { channel, topic, messageId, latestMessageId } satisfies ChannelLink
  }
  state.pos = end
  return true
}

export function renderChannelLink(tokens: Token[], index: number): string {
  const { channel, topic, messageId, latestMessageId } = (tokens[index] as Token).meta as unknown as ChannelLink
  const url = channelUrl(channel)
  const name = escapeHtml(`#${channel.name}`)
  const anchor = (kind: string, url: string, text: string): string =>
    `<a class="${kind}" data-stream-id="${channel.id}" href="${url}">${text}</a>`
  if (topic === undefined) return anchor('stream', url, name)
  const topicUrl = `${url}/topic/${encodeHashComponent(topic)}`
  const topicName = topic === '' ? `<em>${EMPTY_TOPIC_DISPLAY_NAME}</em>` : escapeHtml(topic)
  if (messageId !== undefined) {
    return `<a class="message-link" href="${topicUrl}/near/${messageId}">${name} &gt; ${topicName} @ 💬</a>`
  }
  const newestUrl = latestMessageId === undefined ? topicUrl : `${topicUrl}/with/${latestMessageId}`
  return anchor('stream-topic', newestUrl, `${name} &gt; ${topicName}`)
}

/** Characters with a meaning in the text of a link, which this markup cannot escape there. */
const MARKUP = /[*_`~$[\]<>@#:\\|&!]/g

/**
 * Returns Markdown that links to the topic, or to a message in it, even if the names contain markup.
 *
 * @param topic in stored form
 */
export function linkToTopic(channel: LinkableChannel, topic: string, messageId?: number): string {
  const short = `${channel.name}>${topic}${messageId === undefined ? '' : `@${messageId}`}`
  const [parts] = readingsOf(short)
  const isShort = WHOLE_LINK.test(`#**${short}**`) && parts.channelName === channel.name && parts.topic === topic
  if (isShort && parts.messageId === messageId) return `#**${short}**`
  const name = topic === '' ? EMPTY_TOPIC_DISPLAY_NAME : topic
  const text = `${plain(channel.name)} > ${plain(name)}`
  const url = `${channelUrl(channel)}/topic/${encodeHashComponent(topic)}`
  return `[${text}](${url}${messageId === undefined ? '' : `/near/${messageId}`})`
}

/** Returns Markdown that links to the channel, even if its name contains markup. */
export function linkToChannel(channel: LinkableChannel): string {
  const short = `#**${channel.name}**`
  if (WHOLE_LINK.test(short) && readingsOf(channel.name)[0].topic === undefined) return short
  return `[#${plain(channel.name)}](${channelUrl(channel)})`
}

function plain(name: string): string {
  return name.replace(MARKUP, '').replace(/\s+/g, ' ').trim()
}

/** Returns the URL under which clients show a message of a conversation. */
export function urlOfConversation(userIds: readonly number[], messageId: number): string {
  return `/#narrow/dm/${userIds.join(',')}-dm/near/${messageId}`
}

function channelUrl({ id, name }: LinkableChannel): string {
  return `/#narrow/channel/${id}-${encodeHashComponent(name.replaceAll(' ', '-'))}`
}

/** Percent-encodes with escapes that begin with a dot, which browsers do not change in a fragment. */
function encodeHashComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[%.!'()*~]/g, (character) =>
    character === '%' ? '.' : `.${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * The first `>` ends the name of the channel if a topic can have the rest as its name; otherwise all of it is a name.
 */
function readingsOf(body: string): [LinkParts, ...LinkParts[]] {
  const whole = { channelName: body, topic: undefined, messageId: undefined }
  const end = body.indexOf('>')
  if (end === -1) return [whole]
  const channelName = body.slice(0, end)
  const rest = body.slice(end + 1)
  const id = MESSAGE_ID.exec(rest)
  const topic = id === null ? rest : rest.slice(0, id.index)
  if (!isTopic(topic)) return [whole]
  return [{ channelName, topic: normalizeTopicInput(topic), messageId: id === null ? undefined : Number(id[1]) }, whole]
}
