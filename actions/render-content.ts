import type { Readers } from '../db/database.ts'
import { latestMessageKey, type TopicToRead } from '../db/repositories/topics.ts'
import type { Channel } from '../domain/channel.ts'
import { toWireCustomEmoji } from '../domain/emoji/custom-emoji.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { ChannelId, MessageId, UserId } from '../domain/ids.ts'
import { lookupCandidates, type RenderedMessage, renderMessage } from '../domain/markdown/render.ts'
import type { MarkdownScope } from '../domain/markdown/scope.ts'
import { mayHoldEmoticon } from '../domain/markdown/text.ts'
import { prepareMarkdown } from '../domain/markdown/tools.ts'
import { isGuest } from '../domain/roles.ts'
import { nameKey } from '../domain/text-keys.ts'
import type { User } from '../domain/user.ts'
import { displayNameOf, type UserGroup, whoMayMention } from '../domain/user-group.ts'
import { ChannelRights, type PermissionContext, sharesHistory } from '../permissions/access-channel.ts'
import type { Actor } from '../permissions/actor.ts'
import { isInGroup } from '../permissions/groups.ts'

export interface RenderingContext extends PermissionContext {
  /** Where this server is; absent where nobody knows it yet. */
  readonly publicUrl?: string
}

type Rendered = RenderedMessage<UserId>
type Candidates = ReturnType<typeof lookupCandidates>

/**
 * Renders what `writer` is about to send, with what it names looked up. Before the transaction: nobody waits for it there.
 * @throws {BadRequestError} it mentions a group that the writer may only name silently
 */
export async function renderContent(
  read: Readers,
  writer: Actor,
  content: string,
  context: RenderingContext,
): Promise<Rendered> {
  const { rendered, groups } = await render(read, writer, content, context)
  for (const group of groups) {
    if (!rendered.mentionedGroupIds.has(group.id)) continue
    if (!isInGroup(whoMayMention(group), writer, context.organization, context.now)) {
      throw new BadRequestError(`You are not allowed to mention user group '${group.name}'.`)
    }
  }
  return rendered
}

/** HTML of what `writer` has not sent yet: nobody is mentioned by it, so every group may be. */
export async function previewContent(
  read: Readers,
  writer: Actor,
  content: string,
  context: RenderingContext,
): Promise<string> {
  return (await render(read, writer, content, context)).rendered.html
}

async function render(
  read: Readers,
  writer: Actor,
  content: string,
  context: RenderingContext,
): Promise<{ rendered: Rendered; groups: readonly UserGroup[] }> {
  const { organization, publicUrl } = context
  const candidates = lookupCandidates(content)
  const defaultCodeLanguage = organization.settings.default_code_block_language
  const tools = await prepareMarkdown(content, defaultCodeLanguage)
  const users = await read.users.mentionable(candidates.names, candidates.ids)
  const groups = await read.userGroups.byNames(candidates.groupNames)
  const emoji = await read.customEmoji.byNames(candidates.emojiNames)
  const rendered = renderMessage<UserId>(content, {
    ...usersInScope(users),
    groupOfMention: (name) => {
      const group = groups.find((one) => one.name === name)
      return group && { id: group.id, displayName: displayNameOf(group) }
    },
    ...(await channelsInScope(read, writer, candidates, context)),
    customEmoji: (name) => {
      const custom = emoji.find((one) => one.name === name)
      return custom && { src: toWireCustomEmoji(custom).source_url }
    },
    translateEmoticons: mayHoldEmoticon(content) && (await read.users.settingsOf(writer.id)).translate_emoticons,
    defaultCodeLanguage,
    ...(publicUrl !== undefined && { publicUrl }),
    tools,
  })
  return { rendered, groups }
}

function usersInScope(users: readonly User[]): Pick<MarkdownScope<UserId>, 'userOfMention'> {
  return {
    userOfMention: (name, id) =>
      users.find(
        (user) =>
          (id === undefined || user.id === id) && (name === undefined || nameKey(user.fullName) === nameKey(name)),
      ),
  }
}

/** Channels that the writer may know, and the newest messages that the writer may read in topics of theirs. */
async function channelsInScope(
  read: Readers,
  writer: Actor,
  { channelNames, topics }: Candidates,
  context: PermissionContext,
): Promise<Pick<MarkdownScope, 'channelOfLink' | 'latestMessageOf'>> {
  if (channelNames.length === 0) return {}
  const found = await read.channels.byNames(channelNames)
  const isRestricted = isGuest(writer.role) || [...found.values()].some((channel) => channel.inviteOnly)
  const subscribed = isRestricted
    ? await read.subscriptions.subscribedTo(
        writer.id,
        [...found.values()].map((channel) => channel.id),
      )
    : new Set<ChannelId>()
  const known = (name: string): Channel | undefined => {
    const channel = found.get(nameKey(name))
    return channel && new ChannelRights(writer, channel, subscribed.has(channel.id), context).mayKnow
      ? channel
      : undefined
  }
  const readable = topics.flatMap(({ channelName, topic }): TopicToRead[] => {
    const channel = known(channelName)
    if (channel === undefined || !new ChannelRights(writer, channel, subscribed.has(channel.id), context).mayRead)
      return []
    return [{ channelId: channel.id, topic, sharesHistory: sharesHistory(channel) }]
  })
  const latest: ReadonlyMap<string, MessageId> = await read.topics.latestMessages(writer.id, readable)
  return {
    channelOfLink: known,
    latestMessageOf: (channelId, topic) => latest.get(latestMessageKey(channelId as ChannelId, topic)),
  }
}
