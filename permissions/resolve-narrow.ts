import type { Readers } from '../db/database.ts'
import type { ResolvedNarrow, ResolvedTerm } from '../db/narrow-query.ts'
import { BadNarrowError } from '../domain/errors.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { conversationOf } from '../domain/message.ts'
import type { NarrowTerm } from '../domain/narrow/terms.ts'
import { normalizeTopicInput } from '../domain/topics.ts'
import type { User } from '../domain/user.ts'
import { mayReadChannel, sharesHistory } from './access-channel.ts'
import type { Actor } from './actor.ts'

/**
 * Looks up what the terms name. A channel that `actor` may not read is as unknown as one that does not exist.
 * @throws {BadNarrowError} with the reason in `desc` (facts/narrow.md, "Errors")
 */
export async function resolveNarrow(
  read: Readers,
  actor: Actor,
  terms: readonly NarrowTerm[],
): Promise<ResolvedNarrow> {
  const isOf = (...operators: string[]) => terms.some((term) => !term.negated && operators.includes(term.operator))
  if (isOf('channel', 'topic') && isOf('dm')) {
    throw new BadNarrowError('No message can be both a channel message and direct message')
  }
  let sharedChannelId: ChannelId | undefined
  const resolved: ResolvedTerm[] = []
  for (const term of terms) {
    const { negated } = term
    switch (term.operator) {
      case 'channel': {
        const { channelId, isShared } = await resolveChannel(read, actor, term.operand as string | number)
        resolved.push({ kind: 'channel', channelId, negated })
        if (!negated && isShared) sharedChannelId = channelId
        break
      }
      case 'topic': {
        const topic = normalizeTopicInput(term.operand as string)
        if (!topic.ok) throw new BadNarrowError(topic.message)
        resolved.push({ kind: 'topic', topic: topic.value, negated })
        break
      }
      case 'dm': {
        const members = await resolveUsers(read, term.operand)
        const memberIds = conversationOf(
          actor.id,
          members.map((user) => user.id),
        )
        resolved.push({ kind: 'dm', groupId: await read.directGroups.find(memberIds), negated })
        break
      }
      case 'sender': {
        const [sender] = await resolveUsers(read, term.operand)
        if (!sender) throw new BadNarrowError(`unknown user ${term.operand}`)
        resolved.push({ kind: 'sender', senderId: sender.id, negated })
        break
      }
      default:
        term.operator satisfies never
    }
  }
  return { terms: resolved, sharedChannelId }
}

async function resolveChannel(
  read: Readers,
  actor: Actor,
  operand: string | number,
): Promise<{ channelId: ChannelId; isShared: boolean }> {
  const channel =
    typeof operand === 'number' ? await read.channels.byId(operand as ChannelId) : await read.channels.byName(operand)
  const isSubscribed = channel !== undefined && (await read.subscriptions.isSubscribed(actor.id, channel.id))
  if (!channel || !mayReadChannel(actor.role, channel, isSubscribed)) {
    throw new BadNarrowError(`unknown channel ${operand}`)
  }
  return { channelId: channel.id, isShared: sharesHistory(channel) }
}

/** Ids, or addresses with commas between them. */
async function resolveUsers(read: Readers, operand: NarrowTerm['operand']): Promise<User[]> {
  const wanted = typeof operand === 'string' ? operand.split(',').map((email) => email.trim()) : [operand].flat()
  const users =
    typeof operand === 'string'
      ? await read.users.byEmails(wanted as string[])
      : await read.users.byIds(wanted as UserId[])
  if (users.length < new Set(wanted.map((one) => (typeof one === 'string' ? one.toLowerCase() : one))).size) {
    throw new BadNarrowError(
      typeof operand === 'object' ? `unknown user in ${operand.join(',')}` : `unknown user ${operand}`,
    )
  }
  return users
}
