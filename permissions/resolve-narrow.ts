import {
  HAS_OPERANDS,
  type HasOperand,
  IS_OPERANDS,
  type IsOperand,
  type ResolvedNarrow,
  type ResolvedTerm,
} from '../db/narrow/resolved-narrow.ts'
import type { Readers } from '../db/repositories.ts'
import { BadNarrowError } from '../domain/errors.ts'
import type { ChannelId, MessageId, UserId } from '../domain/ids.ts'
import { conversationOf } from '../domain/messages/message.ts'
import type { NarrowOperator, NarrowTerm } from '../domain/narrow/terms.ts'
import { parseSearch } from '../domain/search/query.ts'
import { emailKey } from '../domain/text/text-keys.ts'
import { normalizeTopicInput } from '../domain/topics/topics.ts'
import { isGuest } from '../domain/users/roles.ts'
import type { User } from '../domain/users/user.ts'
import { sharesHistory } from './access-channel.ts'
import { findMessage } from './access-message.ts'
import { usersByAddress, usersById } from './access-user.ts'
import type { Actor } from './actor.ts'
import { mayReadNow, openedChannelIds } from './read-channel.ts'

/** Operators that `with` replaces. */
const OF_A_CONVERSATION: readonly NarrowOperator[] = [
  'channel',
  'channels',
  'topic',
  'dm',
  'dm-including',
  'group-pm-with',
]

interface Resolved {
  /** Empty if the operator selects everything. */
  readonly terms: readonly ResolvedTerm[]
  /** Whether everything that the term selects is readable, including messages from before the actor's subscription. */
  readonly isHistoryShared?: boolean
}

/**
 * Looks up the operands of the terms. A channel that `actor` may not read counts as one that does not exist.
 *
 * @throws {BadNarrowError} with the reason in `desc`
 */
export async function resolveNarrow(
  read: Readers,
  actor: Actor,
  given: readonly NarrowTerm[],
): Promise<ResolvedNarrow> {
  const { terms, conversation } = await withConversation(read, actor, given)
  refuseMixture(terms, conversation)
  const resolved = conversation ? [conversation] : []
  for (const term of terms) resolved.push(await resolveTerm(read, actor, term))
  const isHistoryShared = resolved.some((one) => one.isHistoryShared === true)
  return {
    terms: resolved.flatMap((one) => one.terms),
    isHistoryShared,
    ...(!isHistoryShared && { openedIds: await openedChannelIds(read, actor) }),
  }
}

async function resolveTerm(read: Readers, actor: Actor, { operator, operand, negated }: NarrowTerm): Promise<Resolved> {
  switch (operator) {
    case 'channel': {
      const { channelId, isShared } = await resolveChannel(read, actor, operand as string | number)
      return { terms: [{ kind: 'channel', channelId, negated }], isHistoryShared: isShared && !negated }
    }
    case 'channels': {
      if (operand !== 'public' && operand !== 'web-public')
        throw new BadNarrowError(`unknown channels operand ${operand}`)
      // Guests read public channels only with a subscription, and only messages that they received.
      const isHistoryShared = !isGuest(actor.role) && !negated
      return { terms: [{ kind: 'channels', which: operand, negated }], isHistoryShared }
    }
    case 'topic': {
      return { terms: [{ kind: 'topic', topic: topicOf(operand as string), negated }] }
    }
    case 'dm': {
      const members = await resolveUsers(read, actor, operand)
      const memberIds = conversationOf(
        actor.id,
        members.map((user) => user.id),
      )
      return { terms: [{ kind: 'dm', groupId: await read.directGroups.find(memberIds), negated }] }
    }
    case 'sender':
    case 'dm-including':
    case 'mentions':
      return { terms: [{ kind: operator, userId: await resolveUser(read, actor, operand), negated }] }
    case 'group-pm-with':
      return { terms: [{ kind: 'group-dm-with', userId: await resolveUser(read, actor, operand), negated }] }
    case 'is': {
      const what = operand === 'private' ? 'dm' : operand
      if (!isOneOf<IsOperand>(what, IS_OPERANDS)) throw new BadNarrowError(`unknown 'is' operand ${operand}`)
      return { terms: [{ kind: 'is', what, negated }] }
    }
    case 'has':
      if (!isOneOf<HasOperand>(operand, HAS_OPERANDS)) throw new BadNarrowError(`unknown 'has' operand ${operand}`)
      return { terms: [{ kind: 'has', what: operand, negated }] }
    case 'in':
      if (operand === 'all') return { terms: negated ? [{ kind: 'id', messageId: -1, negated: false }] : [] }
      if (operand !== 'home') throw new BadNarrowError(`unknown 'in' operand ${operand}`)
      return { terms: [{ kind: 'in-home', negated }] }
    case 'id':
      return { terms: [{ kind: 'id', messageId: messageIdOf(operand), negated }] }
    case 'search':
      return { terms: [{ kind: 'search', query: parseSearch(operand as string), negated }] }
    // Tells clients where to set the anchor; it selects everything.
    case 'near':
    // Its message was not found; the other terms name the conversation (withConversation).
    case 'with':
      return { terms: [] }
    default:
      return operator satisfies never
  }
}

function topicOf(operand: string): string {
  try {
    return normalizeTopicInput(operand)
  } catch (err) {
    throw new BadNarrowError((err as Error).message)
  }
}

function isOneOf<One extends string>(word: unknown, words: readonly One[]): word is One {
  return words.includes(word as One)
}

/**
 * Replaces a `with` term by the present conversation of its message, and returns the remaining terms. If the actor
 * cannot read the message, the other terms count, provided they name one conversation.
 *
 * @throws {BadNarrowError} if they do not, because an unresolved term must not widen the narrow
 */
async function withConversation(
  read: Readers,
  actor: Actor,
  given: readonly NarrowTerm[],
): Promise<{ terms: readonly NarrowTerm[]; conversation?: Resolved }> {
  const term = given.find((one) => one.operator === 'with')
  if (!term) return { terms: given }
  const viewed = await findMessage(read, actor, messageIdOf(term.operand) as MessageId)
  if (!viewed) {
    if (!namesConversation(given)) throw new BadNarrowError("Invalid 'with' operator")
    return { terms: given }
  }
  const terms = given.filter((one) => one !== term && !isOfConversation(one))
  const { place } = viewed.message
  if (place.kind === 'direct') {
    return { terms, conversation: { terms: [{ kind: 'dm', groupId: place.groupId, negated: false }] } }
  }
  const conversation: Resolved = {
    terms: [
      { kind: 'channel', channelId: place.channelId, negated: false },
      { kind: 'topic', topic: place.topic, negated: false },
    ],
    isHistoryShared: viewed.channel !== null && sharesHistory(viewed.channel),
  }
  return { terms, conversation }
}

function namesConversation(terms: readonly NarrowTerm[]): boolean {
  const isNamed = (wanted: NarrowOperator): boolean =>
    terms.some(({ operator, negated }) => operator === wanted && !negated)
  return isNamed('dm') || (isNamed('channel') && isNamed('topic'))
}

function isOfConversation({ operator, operand }: NarrowTerm): boolean {
  return OF_A_CONVERSATION.includes(operator) || (operator === 'is' && (operand === 'dm' || operand === 'private'))
}

function refuseMixture(terms: readonly NarrowTerm[], conversation: Resolved | undefined): void {
  const isThere = (operators: readonly NarrowOperator[], is: readonly string[]) =>
    terms.some(
      ({ operator, operand, negated }) =>
        !negated && (operators.includes(operator) || (operator === 'is' && is.includes(String(operand)))),
    )
  const kind = conversation?.terms[0]?.kind
  const isChannel = kind === 'channel' || isThere(['channel', 'channels', 'topic'], ['resolved', 'followed'])
  const isDirect = kind === 'dm' || isThere(['dm', 'dm-including', 'group-pm-with'], ['dm', 'private'])
  if (isChannel && isDirect) throw new BadNarrowError('No message can be both a channel message and direct message')
}

/** Highest possible message ID. Clients send higher ones. */
const MAX_MESSAGE_ID = 2 ** 53 - 1

function messageIdOf(operand: NarrowTerm['operand']): number {
  const id = typeof operand === 'string' && /^[0-9]+$/.test(operand) ? Number(operand) : operand
  if (typeof id !== 'number' || id < 0 || id > MAX_MESSAGE_ID) throw new BadNarrowError('Invalid message ID')
  return id
}

async function resolveChannel(
  read: Readers,
  actor: Actor,
  operand: string | number,
): Promise<{ channelId: ChannelId; isShared: boolean }> {
  const channel =
    typeof operand === 'number' ? await read.channels.byId(operand as ChannelId) : await read.channels.byName(operand)
  if (!channel || !(await mayReadNow(read, actor, channel))) throw new BadNarrowError(`unknown channel ${operand}`)
  return { channelId: channel.id, isShared: sharesHistory(channel) }
}

async function resolveUser(read: Readers, actor: Actor, operand: NarrowTerm['operand']): Promise<UserId> {
  const [user] = await usersNamed(read, actor, [operand as string | number])
  if (!user) throw new BadNarrowError(`unknown user ${operand}`)
  return user.id
}

/** IDs, or addresses separated by commas. */
async function resolveUsers(read: Readers, actor: Actor, operand: NarrowTerm['operand']): Promise<User[]> {
  const wanted = typeof operand === 'string' ? operand.split(',').map((email) => email.trim()) : [operand].flat()
  const users = await usersNamed(read, actor, wanted as (string | number)[])
  if (users.length < new Set(wanted.map((one) => (typeof one === 'string' ? one.toLowerCase() : one))).size) {
    throw new BadNarrowError(
      typeof operand === 'object' ? `unknown user in ${operand.join(',')}` : `unknown user ${operand}`,
    )
  }
  return users
}

/** Returns accounts, and system bots, with which people have conversations too, by their IDs or addresses. */
async function usersNamed(read: Readers, actor: Actor, names: readonly (string | number)[]): Promise<User[]> {
  const ids = names.filter((one) => typeof one === 'number')
  const emails = names.filter((one) => typeof one === 'string')
  const byId = await usersById(read, actor, ids)
  const byAddress = await usersByAddress(read, actor, emails)
  const accounts = [...byId.values(), ...byAddress.values()]
  if (accounts.length >= names.length) return accounts
  const keys = emails.map(emailKey)
  const bots = await read.users.systemBots()
  return [...accounts, ...bots.filter(({ id, email }) => ids.includes(id) || keys.includes(emailKey(email)))]
}
