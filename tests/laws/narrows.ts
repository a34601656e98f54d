import type { World } from '../../conformance/laws/world.ts'
import { fc } from '../../conformance/seed-testing.ts'
import { GUEST, PEOPLE, type Person } from './ground.ts'
import type { Model } from './model.ts'
import type { ModelChannel } from './model-channel.ts'
import { isSameConversation, isSameTopic, type ModelMessage, unresolved } from './model-message.ts'
import { SEARCHES, TOPICS } from './spellings.ts'

/** One condition, in the model's terms. Numbers are taken modulo the number of existing things. */
export type Term = { readonly negated: boolean } & (
  | { readonly operator: 'channel' | 'stream'; readonly channel: number; readonly spelling: number | undefined }
  | { readonly operator: 'topic'; readonly topic: string }
  | { readonly operator: 'dm' | 'pm-with'; readonly people: readonly Person[]; readonly byEmail: boolean }
  | { readonly operator: Of; readonly person: Person; readonly byEmail: boolean }
  | { readonly operator: 'is'; readonly what: 'dm' | 'private' | 'unread' | 'mentioned' }
  | { readonly operator: 'channels'; readonly which: 'public' }
  | { readonly operator: 'id' | 'with'; readonly message: number }
  /** Index of SEARCHES. */
  | { readonly operator: 'search'; readonly search: number }
)
/** Operators about one person. */
type Of = 'sender' | 'dm-including' | 'group-pm-with' | 'mentions'

export interface Narrow {
  readonly terms: readonly Term[]
  /** As pairs of strings, the older encoding without negation and ids. */
  readonly asPairs: boolean
}

const STATES = ['dm', 'private', 'unread', 'mentioned'] as const
const person = fc.constantFrom(...PEOPLE)
const negated = fc.boolean()
const anyTerm: fc.Arbitrary<Term> = fc.oneof(
  fc.record({
    operator: fc.constantFrom('channel' as const, 'stream' as const),
    channel: fc.nat({ max: 5 }),
    spelling: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
    negated,
  }),
  fc.record({ operator: fc.constant('topic' as const), topic: fc.constantFrom(...TOPICS.flat()), negated }),
  fc.record({
    operator: fc.constantFrom('dm' as const, 'pm-with' as const),
    people: fc.uniqueArray(person, { minLength: 1, maxLength: 3 }),
    byEmail: fc.boolean(),
    negated,
  }),
  fc.record({
    operator: fc.constantFrom<Of>('sender', 'sender', 'dm-including', 'group-pm-with', 'mentions'),
    person,
    byEmail: fc.boolean(),
    negated,
  }),
  fc.record({ operator: fc.constant('is' as const), what: fc.constantFrom(...STATES), negated }),
  fc.record({ operator: fc.constant('channels' as const), which: fc.constant('public' as const), negated }),
  fc.record({ operator: fc.constant('id' as const), message: fc.nat({ max: 60 }), negated }),
  fc.record({ operator: fc.constant('with' as const), message: fc.nat({ max: 60 }), negated: fc.constant(false) }),
  fc.record({ operator: fc.constant('search' as const), search: fc.nat({ max: SEARCHES.length - 1 }), negated }),
)

export const anyNarrow: fc.Arbitrary<Narrow> = fc
  .record({ terms: fc.array(anyTerm, { maxLength: 3 }), asPairs: fc.boolean() })
  // A second one is refused.
  .filter(({ terms }) => terms.filter((term) => term.operator === 'with').length < 2)
  .map(({ terms, asPairs }) => ({
    terms: asPairs ? terms.map((term) => ({ ...term, negated: false })) : terms,
    asPairs,
  }))

/** The parameter `narrow` of GET /messages. */
export function wireNarrow({ terms, asPairs }: Narrow, world: World): unknown[] {
  return terms.map((term) => {
    if (asPairs) return [term.operator, operandOf(term, world, true)]
    const operand = operandOf(term, world, false)
    return { operator: term.operator, operand, ...(term.negated && { negated: true }) }
  })
}

function operandOf(term: Term, world: World, asString: boolean): unknown {
  switch (term.operator) {
    case 'channel':
    case 'stream': {
      const channel = world.channel(term.channel)
      const names = [channel.name, ...channel.spellings]
      if (term.spelling === undefined && !asString) return channel.id
      return names[(term.spelling ?? 0) % names.length]
    }
    case 'topic':
      return term.topic
    case 'dm':
    case 'pm-with':
      return term.byEmail || asString
        ? term.people.map((one) => world.person(one).email).join(',')
        : term.people.map((one) => world.person(one).userId)
    case 'sender':
    case 'dm-including':
    case 'group-pm-with':
    case 'mentions':
      return term.byEmail || asString ? world.person(term.person).email : world.person(term.person).userId
    case 'is':
      return term.what
    case 'channels':
      return term.which
    case 'id':
    case 'with':
      return asString ? String(messageOf(world, term)) : messageOf(world, term)
    case 'search':
      return SEARCHES[term.search]?.operand
    default:
      return term satisfies never
  }
}

/** In a world without messages, an id that no message has. */
function messageOf(world: World, { message }: { readonly message: number }): number {
  return world.message(message)?.id ?? 2_000_000_000
}

/**
 * Messages of the narrow that `person` finds, ascending, by testing each one; undefined if the narrow is refused.
 * Without a channel in the narrow, only received messages are searched.
 */
export function matching(model: Model, world: World, viewer: Person, narrow: Narrow): ModelMessage[] | undefined {
  const like = conversationOf(model, world, viewer, narrow)
  if (!like && narrow.terms.some((term) => term.operator === 'with') && !namesConversation(narrow)) return undefined
  const terms = narrow.terms.filter((term) => term.operator !== 'with' && !(like && isOfConversation(term)))
  const positive = terms.filter((term) => !term.negated)
  const isInChannel =
    like?.channel !== undefined || positive.some((t) => is(t, 'channel', 'stream', 'topic', 'channels'))
  const isDirect =
    (like && !like.channel) ||
    positive.some((t) => is(t, 'dm', 'pm-with', 'dm-including', 'group-pm-with') || isDirectOnly(t))
  if (isInChannel && isDirect) return undefined
  const named = (term: Term): ModelChannel | undefined =>
    term.operator === 'channel' || term.operator === 'stream' ? model.channelOf(world, term.channel) : undefined
  for (const term of terms.filter((one) => is(one, 'channel', 'stream'))) {
    const channel = named(term)
    if (!channel || !model.mayEnter(viewer, channel)) return undefined
  }
  const opened = [...positive.flatMap((term) => named(term) ?? []), ...(like?.channel ? [like.channel] : [])].filter(
    (channel) => channel.sharesHistory,
  )
  const isPublicOpen = viewer !== GUEST && positive.some((term) => is(term, 'channels'))
  return model.messages.filter((message) => {
    const { channel } = message
    if (message.isDeleted) return false
    const isInReach =
      model.finds(viewer, message) ||
      opened.some((one) => one === channel) ||
      (isPublicOpen && channel !== undefined && !channel.isPrivate)
    return (
      isInReach &&
      (!like || isSameConversation(message, like)) &&
      terms.every((term) => matches(term, message, { model, world, viewer, channel: named(term) }) !== term.negated)
    )
  })
}

const is = (term: Term, ...operators: Term['operator'][]): boolean => operators.includes(term.operator)
const isDirectOnly = (term: Term): boolean => term.operator === 'is' && (term.what === 'dm' || term.what === 'private')

/** Replaces a `with` that leads nowhere. */
function namesConversation({ terms }: Narrow): boolean {
  const isNamed = (...operators: Term['operator'][]): boolean =>
    terms.some((term) => !term.negated && is(term, ...operators))
  return isNamed('dm', 'pm-with') || (isNamed('channel', 'stream') && isNamed('topic'))
}

/** Terms that a valid `with` replaces. */
function isOfConversation(term: Term): boolean {
  return (
    is(term, 'channel', 'stream', 'channels', 'topic', 'dm', 'pm-with', 'dm-including', 'group-pm-with') ||
    isDirectOnly(term)
  )
}

/** The message of a `with` term, if the viewer may read it. */
function conversationOf(model: Model, world: World, viewer: Person, { terms }: Narrow): ModelMessage | undefined {
  for (const term of terms) {
    if (term.operator !== 'with') continue
    const message = model.messages.find((one) => one.id === messageOf(world, term))
    return message && model.mayRead(viewer, message) ? message : undefined
  }
  return undefined
}

interface Place {
  readonly model: Model
  readonly world: World
  readonly viewer: Person
  /** The channel that the term names. */
  readonly channel: ModelChannel | undefined
}

function matches(term: Term, message: ModelMessage, { model, world, viewer, channel }: Place): boolean {
  switch (term.operator) {
    case 'channel':
    case 'stream':
      return message.channel !== undefined && message.channel === channel
    case 'channels':
      return message.channel !== undefined && !message.channel.isPrivate
    case 'topic':
      return isSameTopic(term.topic, message.topic)
    case 'dm':
    case 'pm-with': {
      const people = new Set([viewer, ...term.people])
      return message.channel === undefined && people.symmetricDifference(message.receivers).size === 0
    }
    case 'dm-including':
      return message.channel === undefined && message.receivers.has(term.person)
    case 'group-pm-with':
      return message.channel === undefined && message.receivers.has(term.person) && message.receivers.size > 2
    case 'sender':
      return message.sender === term.person
    case 'mentions':
      return message.flagged.named.has(term.person)
    case 'is':
      if (term.what === 'unread') return model.isUnread(viewer, message)
      if (term.what === 'mentioned') return isMeant(viewer, message)
      return message.channel === undefined
    case 'id':
      return message.id === messageOf(world, term)
    case 'search': {
      const found = SEARCHES[term.search]?.found ?? []
      return (
        found.includes(message.content) || (message.topic !== undefined && found.includes(unresolved(message.topic)))
      )
    }
    case 'with':
      return true
    default:
      return term satisfies never
  }
}

/** By name, by a wildcard for everybody, or by one for topic participants. */
function isMeant(person: Person, { content, flagged, receivers }: ModelMessage): boolean {
  if (content.startsWith('@**all**')) return receivers.has(person)
  return flagged.named.has(person) || flagged.asParticipant.has(person)
}
