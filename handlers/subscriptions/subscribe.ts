import { createChannel } from '../../actions/create-channel.ts'
import { subscribeUsers } from '../../actions/subscribe-users.ts'
import type { Tx } from '../../db/database.ts'
import type { Channel } from '../../domain/channel.ts'
import { unixSeconds } from '../../domain/clock.ts'
import { isLongerThan } from '../../domain/code-points.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { MAX_CHANNEL_DESCRIPTION_LENGTH } from '../../domain/limits.ts'
import { renderDescription } from '../../domain/markdown/render.ts'
import { checkChannelName } from '../../domain/names.ts'
import type { Organization } from '../../domain/organization-settings.ts'
import { isGuest } from '../../domain/roles.ts'
import { emailKey, nameKey } from '../../domain/text-keys.ts'
import type { User } from '../../domain/user.ts'
import type { Input } from '../../generated/operations.ts'
import { mayReadChannel } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import { isInGroup } from '../../permissions/groups.ts'
import { presentActor } from '../../permissions/present-actor.ts'
import type { Handler } from '../handler.ts'

/** What this request wants of one channel. */
interface Wanted {
  readonly name: string
  readonly description: string
  readonly renderedDescription: string
}

/** Subscriptions that one request may make: everybody's writes wait behind it, about half a second for so many. */
const MAX_PAIRS = 20_000

/** POST /users/me/subscriptions: subscribes oneself or others, and makes the channels that do not exist yet. */
export const subscribe: Handler<'subscribe'> = async ({ input, actor: caller, db, clock, organization }) => {
  const wanted = wantedChannels(input.subscriptions)
  if (wanted.length * (input.principals?.length ?? 1) > MAX_PAIRS) {
    throw new BadRequestError(`Too many subscriptions at once (maximum ${MAX_PAIRS}, principals times channels).`)
  }
  const now = unixSeconds(clock)
  return db.transaction(async (tx) => {
    // With the role of this moment: what events tell of sight follows it.
    const actor = await presentActor(tx, caller)
    const users = await principals(tx, actor, input.principals)
    const isForOthers = users.some((user) => user.id !== actor.id)
    if (isForOthers && !isInGroup(organization.settings.can_add_subscribers_group, actor, organization, now)) {
      throw new BadRequestError('Insufficient permission')
    }
    const known = await tx.channels.byNames(wanted.map((one) => one.name))
    const unauthorized: string[] = []
    const channels: Channel[] = []
    for (const one of wanted) {
      const channel = known.get(nameKey(one.name))
      if (!channel) channels.push(await makeChannel(tx, actor, one, input, { organization, now }))
      else if (await maySubscribe(tx, actor, channel)) channels.push(channel)
      else unauthorized.push(one.name)
    }
    if (unauthorized.length > 0 && input.authorization_errors_fatal) {
      throw new BadRequestError(`Unable to access channel (${unauthorized.join(', ')}).`)
    }
    const { subscribed, alreadySubscribed } = await subscribeUsers(tx, channels, users, now)
    return {
      subscribed: namesByUser(subscribed),
      already_subscribed: namesByUser(alreadySubscribed),
      ...(!input.authorization_errors_fatal && { unauthorized }),
    }
  })
}

function wantedChannels(subscriptions: Input<'subscribe'>['subscriptions']): Wanted[] {
  const wanted = subscriptions.map(({ name: raw, description = '' }) => {
    const name = checkChannelName(raw)
    if (!name.ok) throw new BadRequestError(name.message)
    if (isLongerThan(description, MAX_CHANNEL_DESCRIPTION_LENGTH)) {
      throw new BadRequestError(`description is too long (limit: ${MAX_CHANNEL_DESCRIPTION_LENGTH} characters)`)
    }
    const oneLine = description.replaceAll('\n', ' ').trim()
    return { name: name.value, description: oneLine, renderedDescription: renderDescription(oneLine) }
  })
  return [...new Map(wanted.map((one) => [nameKey(one.name), one])).values()]
}

/** Oneself, or the active accounts that were named by id or address. */
async function principals(tx: Tx, actor: Actor, wanted: Input<'subscribe'>['principals']): Promise<User[]> {
  if (!wanted) return [actor]
  const ids = wanted.filter((one) => typeof one === 'number')
  const emails = wanted.filter((one) => typeof one === 'string')
  const found = [...(await tx.users.byIds(ids as UserId[])), ...(await tx.users.byEmails(emails))]
  const byId = new Map(found.map((user) => [user.id as number, user]))
  const byEmail = new Map(found.map((user) => [emailKey(user.email), user]))
  for (const one of wanted) {
    const user = typeof one === 'number' ? byId.get(one) : byEmail.get(emailKey(one))
    if (!user) throw new BadRequestError(typeof one === 'number' ? `Invalid user ID ${one}` : `Invalid email '${one}'`)
    if (!user.isActive) throw new BadRequestError(`'${user.fullName}' is deactivated`)
  }
  return [...new Map(found.map((user) => [user.id, user])).values()]
}

/** Public channels are open to everybody but guests; into private ones only subscribers bring others. */
async function maySubscribe(tx: Tx, actor: Actor, channel: Channel): Promise<boolean> {
  if (channel.isArchived) return false
  return mayReadChannel(actor.role, channel, await tx.subscriptions.isSubscribed(actor.id, channel.id))
}

async function makeChannel(
  tx: Tx,
  actor: Actor,
  wanted: Wanted,
  input: Input<'subscribe'>,
  { organization, now }: { organization: Organization; now: number },
): Promise<Channel> {
  const { settings } = organization
  const needed = input.invite_only
    ? settings.can_create_private_channel_group
    : settings.can_create_public_channel_group
  // A guest learns the same as from a channel that is there and closed to them.
  if (isGuest(actor.role)) throw new BadRequestError(`Unable to access channel (${wanted.name}).`)
  if (!isInGroup(needed, actor, organization, now)) throw new BadRequestError('Insufficient permission')
  const isHistoryPublic = input.history_public_to_subscribers ?? !input.invite_only
  if (!input.invite_only && !isHistoryPublic) throw new BadRequestError('Invalid parameters')
  const channel = await createChannel(tx, {
    ...wanted,
    creatorId: actor.id,
    createdAt: now,
    inviteOnly: input.invite_only,
    historyPublicToSubscribers: isHistoryPublic,
    messageRetentionDays: retentionDays(input.message_retention_days),
    topicsPolicy: input.topics_policy ?? 'inherit',
  })
  // Names were looked up in this very transaction; only another process on the same database can be in between.
  if (!channel) throw new BadRequestError(`Channel '${wanted.name}' already exists`)
  return channel
}

function retentionDays(wanted: Input<'subscribe'>['message_retention_days']): number | null {
  if (wanted === undefined || wanted === 'realm_default') return null
  return wanted === 'unlimited' ? -1 : wanted
}

function namesByUser(channels: ReadonlyMap<UserId, readonly Channel[]>): Record<string, string[]> {
  return Object.fromEntries([...channels].map(([id, list]) => [id, list.map((channel) => channel.name)]))
}
