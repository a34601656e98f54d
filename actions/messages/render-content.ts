import type { ReadOnlyDatabase } from '../../db/database.ts'
import { latestMessageKey, type TopicToRead } from '../../db/repositories/topics.ts'
import type { Readers } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { toWireCustomEmoji } from '../../domain/emoji/custom-emoji.ts'
import type { ChannelId, MessageId, UserId } from '../../domain/ids.ts'
import { lookupCandidates, type RenderedMessage, renderMessageWith } from '../../domain/markdown/render.ts'
import type { MarkdownScope } from '../../domain/markdown/scope.ts'
import { mayHoldEmoticon } from '../../domain/markdown/text.ts'
import type { Site } from '../../domain/organization/server-settings.ts'
import { nameKey } from '../../domain/text/text-keys.ts'
import { displayNameOf } from '../../domain/user-groups/user-group.ts'
import { isGuest } from '../../domain/users/roles.ts'
import type { User } from '../../domain/users/user.ts'
import type { AlertWords } from '../../events/alert-words.ts'
import { ChannelRights, sharesHistory } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import { visibleUsers } from '../../permissions/visible-users.ts'
import type { AccountRendering } from '../../rendering/rendering.ts'
import { showImages } from '../attachments/show-images.ts'

interface RenderingContext {
  /** Address of this server; absent if it is unknown. */
  readonly publicUrl?: string
  readonly rendering: AccountRendering
}

/** A text that is rendered and may be sent. */
export interface RenderedText {
  /** Normalized Markdown, and its HTML. */
  readonly content: string
  readonly rendered: RenderedMessage<UserId>
  /** Users whose alert words are in it; it alerts them if they receive it. */
  readonly alertedUserIds: readonly UserId[]
}

/** Renders texts of one account. */
export interface TextRenderer {
  render(content: string): Promise<RenderedMessage<UserId>>
  /** Also finds the users whom the text alerts. */
  renderToSend(content: string): Promise<RenderedText>
}

/** Dependencies of rendering. */
export interface RenderingServices {
  readonly db: ReadOnlyDatabase
  readonly site: Site
  readonly alertWords: AlertWords
}

export function textRenderer(services: RenderingServices, writer: Actor, rendering: AccountRendering): TextRenderer {
  const { db, site, alertWords } = services
  const render = (content: string) => renderContent(db.read, writer, content, { publicUrl: site.publicUrl, rendering })
  return {
    render,
    async renderToSend(content) {
      const rendered = await render(content)
      return { content, rendered, alertedUserIds: alertWords.usersIn(rendered.html) }
    },
  }
}

/** From this number of characters on, rendering may take milliseconds. */
const LONG = 500

type Candidates = ReturnType<typeof lookupCandidates>

/**
 * Renders what `writer` is about to send, after looking up what it names. Called before the transaction, so that nobody
 * waits for it there. Whether the writer may mention so many is checked in the transaction (`mentionedUserIds`).
 */
export async function renderContent(
  read: Readers,
  writer: Actor,
  content: string,
  context: RenderingContext,
): Promise<RenderedMessage<UserId>> {
  const { publicUrl, rendering } = context
  const isLong = content.length > LONG
  const candidates = isLong ? await rendering.inTurn(() => lookupCandidates(content)) : lookupCandidates(content)
  const defaultCodeLanguage = read.organization.settings.default_code_block_language
  const users = await visibleUsers(read, writer, await read.users.mentionable(candidates.names, candidates.ids))
  const groups = byName(await read.userGroups.byNames(candidates.groupNames))
  const emoji = byName(await read.customEmoji.byNames(candidates.emojiNames))
  const scope: MarkdownScope<UserId> = {
    ...usersInScope(users),
    groupOfMention: (name) => {
      const group = groups.get(name)
      return group && { id: group.id, displayName: displayNameOf(group) }
    },
    ...(await channelsInScope(read, writer, candidates)),
    customEmoji: (name) => {
      const custom = emoji.get(name)
      return custom && { src: toWireCustomEmoji(custom).source_url }
    },
    translateEmoticons: mayHoldEmoticon(content) && (await read.users.settingsOf(writer.id)).translate_emoticons,
    defaultCodeLanguage,
    linkifiers: read.organization.linkifiers,
    hasPreviewPlaces: true,
    ...(publicUrl !== undefined && { publicUrl }),
  }
  const render = () => renderMessageWith(content, scope, rendering.renderPieces)
  const rendered = await (isLong ? rendering.inTurn(render) : render())
  return showImages(read, writer, rendered)
}

function usersInScope(users: readonly User[]): Pick<MarkdownScope<UserId>, 'userOfMention'> {
  const byId = new Map<number, User>(users.map((user) => [user.id, user]))
  // The first of several users with one name is meant. A map keeps the work linear in mentions and users.
  const byKey = new Map(users.toReversed().map((user) => [nameKey(user.fullName), user]))
  return {
    userOfMention: (name, id) => {
      if (id === undefined) return name === undefined ? undefined : byKey.get(nameKey(name))
      const user = byId.get(id)
      return name === undefined || (user && nameKey(user.fullName) === nameKey(name)) ? user : undefined
    },
  }
}

function byName<Named extends { readonly name: string }>(all: readonly Named[]): ReadonlyMap<string, Named> {
  return new Map(all.toReversed().map((one) => [one.name, one]))
}

/** Channels that the writer may know, and the newest messages in their topics that the writer may read. */
async function channelsInScope(
  read: Readers,
  writer: Actor,
  { channelNames, topics }: Candidates,
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
    return channel && new ChannelRights(writer, channel, subscribed.has(channel.id), read.organization).mayKnow
      ? channel
      : undefined
  }
  const readable = topics.flatMap(({ channelName, topic }): TopicToRead[] => {
    const channel = known(channelName)
    if (
      channel === undefined ||
      !new ChannelRights(writer, channel, subscribed.has(channel.id), read.organization).mayRead
    )
      return []
    return [{ channelId: channel.id, topic, sharesHistory: sharesHistory(channel) }]
  })
  const latest: ReadonlyMap<string, MessageId> = await read.topics.latestMessages(writer.id, readable)
  return {
    channelOfLink: known,
    latestMessageOf: (channelId, topic) => latest.get(latestMessageKey(channelId as ChannelId, topic)),
  }
}
