import fc from 'fast-check'
import type { Model, ModelChannel, ModelMessage } from './model.ts'
import { PEOPLE, type Person } from './people.ts'
import type { Run } from './run.ts'
import { TOPICS } from './spellings.ts'

/** One condition, in the words of the model. Numbers are taken modulo what there is. */
export type Term = { readonly negated: boolean } & (
  | { readonly operator: 'channel' | 'stream'; readonly channel: number; readonly spelling: number | undefined }
  | { readonly operator: 'topic'; readonly topic: string }
  | { readonly operator: 'dm' | 'pm-with'; readonly people: readonly Person[]; readonly byEmail: boolean }
  | { readonly operator: 'sender'; readonly person: Person; readonly byEmail: boolean }
)

export interface Narrow {
  readonly terms: readonly Term[]
  /** As pairs of strings, the older encoding, which has neither negation nor ids. */
  readonly asPairs: boolean
}

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
  fc.record({ operator: fc.constant('sender' as const), person, byEmail: fc.boolean(), negated }),
)

export const anyNarrow: fc.Arbitrary<Narrow> = fc
  .record({ terms: fc.array(anyTerm, { maxLength: 3 }), asPairs: fc.boolean() })
  .map(({ terms, asPairs }) => ({
    terms: asPairs ? terms.map((term) => ({ ...term, negated: false })) : terms,
    asPairs,
  }))

/** The parameter `narrow` of GET /messages. */
export function wireNarrow({ terms, asPairs }: Narrow, run: Run): unknown[] {
  return terms.map((term) => {
    if (asPairs) return [term.operator, operandOf(term, run, true)]
    const operand = operandOf(term, run, false)
    return { operator: term.operator, operand, ...(term.negated && { negated: true }) }
  })
}

function operandOf(term: Term, run: Run, asString: boolean): unknown {
  switch (term.operator) {
    case 'channel':
    case 'stream': {
      const channel = run.channel(term.channel)
      if (!channel) return 0
      const names = [channel.name, ...channel.spellings]
      if (term.spelling === undefined && !asString) return channel.id
      return names[(term.spelling ?? 0) % names.length]
    }
    case 'topic':
      return term.topic
    case 'dm':
    case 'pm-with':
      return term.byEmail || asString
        ? term.people.map((one) => run.as(one).email).join(',')
        : term.people.map((one) => run.as(one).userId)
    case 'sender':
      return term.byEmail || asString ? run.as(term.person).email : run.as(term.person).userId
    default:
      return term satisfies never
  }
}

/**
 * Messages of the narrow that `person` finds, ascending, by looking at each; undefined where the narrow is refused.
 * Without a channel to look into, only what one received is looked through (facts/narrow.md, "shared history").
 */
export function matching(model: Model, run: Run, viewer: Person, { terms }: Narrow): ModelMessage[] | undefined {
  const is = (term: Term, ...operators: Term['operator'][]) => operators.includes(term.operator)
  const positive = terms.filter((term) => !term.negated)
  if (positive.some((t) => is(t, 'channel', 'stream', 'topic')) && positive.some((t) => is(t, 'dm', 'pm-with'))) {
    return undefined
  }
  const named = (term: Term): ModelChannel | undefined =>
    term.operator === 'channel' || term.operator === 'stream' ? model.channelOf(run, term.channel) : undefined
  for (const term of terms.filter((one) => is(one, 'channel', 'stream'))) {
    const channel = named(term)
    if (!channel || !model.mayEnter(viewer, channel)) return undefined
  }
  const opened = positive.flatMap((term) => named(term) ?? []).filter((channel) => channel.sharesHistory)
  return model.messages.filter((message) => {
    const isInReach = message.receivers.has(viewer) || opened.some((channel) => channel === message.channel)
    return isInReach && terms.every((term) => matches(term, message, viewer, named(term)) !== term.negated)
  })
}

function matches(term: Term, message: ModelMessage, viewer: Person, channel: ModelChannel | undefined): boolean {
  switch (term.operator) {
    case 'channel':
    case 'stream':
      return message.channel !== undefined && message.channel === channel
    case 'topic': {
      const spellings = TOPICS.find((list) => list.includes(term.topic)) ?? []
      return message.topic !== undefined && spellings.includes(message.topic)
    }
    case 'dm':
    case 'pm-with': {
      const people = new Set([viewer, ...term.people])
      return message.channel === undefined && people.symmetricDifference(message.receivers).size === 0
    }
    case 'sender':
      return message.sender === term.person
    default:
      return term satisfies never
  }
}
