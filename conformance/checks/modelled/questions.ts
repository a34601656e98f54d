import fc from 'fast-check'
import type { CheckContext } from '../../kernel/check-context.ts'
import { fits, type Term } from '../../model/narrow.ts'
import { beyondAll, type RangeRequest } from '../../model/range.ts'
import { isMuted, mayStandTogether, pairsOf, termsOf } from '../../model/terms.ts'
import type { ModelMessage, World } from '../../model/world.ts'
import type { Places } from './places.ts'

/** A narrow, and what the model knows about it. */
export interface Question {
  readonly terms: readonly Term[]
  /** As sent: terms, or pairs in the older form. */
  readonly narrow: unknown
}

/** A question with no matches outside the model, except perhaps older messages. */
export interface ClosedQuestion extends Question {
  /** Whether no older message matches either. */
  readonly isClosed: boolean
}

/** The terms, limited to messages of the model. */
export function closedBy({ mark }: Places, others: readonly Term[]): ClosedQuestion {
  const terms = [{ operator: 'search', operand: mark }, ...others]
  return { terms, narrow: terms, isClosed: true }
}

const most = 2

interface Asked {
  readonly term: Term
  readonly negated: boolean
}

/** Any terms, limited to the given messages. */
export function anyQuestion(t: CheckContext, world: World, places: Places): fc.Arbitrary<Question> {
  const anyTerms = fc.array(anyTerm(t, world, places), { minLength: 1, maxLength: most + 1 })
  return asQuestion(anyTerms.map((all) => all.map(said)))
}

/** Any terms, of which one excludes messages of others. */
export function anyClosedQuestion(t: CheckContext, world: World, places: Places): fc.Arbitrary<ClosedQuestion> {
  const closing: readonly Term[] = [
    { operator: 'search', operand: places.mark },
    ...Object.values(places.topics).map((operand) => ({ operator: 'topic', operand })),
  ]
  // Nobody else writes to conversations of the run's own people. Given accounts may be in another run, too.
  const isOfRun = [places.reader, places.author, places.third].every(({ password }) => password !== undefined)
  const place = new Set(['channel', 'stream', ...(isOfRun ? ['dm', 'pm-with'] : [])])
  const open = termsOf(world, t).filter(({ operator }) => place.has(operator))
  const isClosing = (term: Term): boolean => closing.includes(term)
  const terms = fc
    .record({
      home: fc.oneof(fc.constantFrom(...closing), fc.constantFrom(...open)),
      others: fc.array(anyTerm(t, world, places), { maxLength: most }),
      place: fc.nat({ max: most }),
    })
    .map(({ home, others, place }) => others.map(said).toSpliced(place, 0, home))
  return asQuestion(terms).map((question) => ({ ...question, isClosed: question.terms.some(isClosing) }))
}

function said({ term, negated }: Asked): Term {
  return negated ? { ...term, negated } : term
}

function anyTerm(t: CheckContext, world: World, places: Places): fc.Arbitrary<Asked> {
  const byOperator = Map.groupBy([...termsOf(world, t), ...searches(places)], kindOf)
  const term = fc.constantFrom(...byOperator.values()).chain((terms) => fc.constantFrom(...terms))
  return fc.record({ term, negated: fc.boolean() })
}

/** Each operator with every kind and form of operand, plain and negated where allowed. */
export function everyTerm(t: CheckContext, world: World, places: Places): Term[] {
  const forms = Map.groupBy([...termsOf(world, t), ...searches(places)], (term) => `${kindOf(term)} ${formOf(term)}`)
  return [...forms.values()]
    .flatMap(([term]) => (term === undefined ? [] : [term, { ...term, negated: true }]))
    .filter((term) => mayStandTogether([term]))
}

function formOf({ operand }: Term): string {
  return Array.isArray(operand) ? 'list' : typeof operand
}

/** Makes each kind equally frequent, however many operands it has. */
function kindOf({ operator, operand }: Term): string {
  return ['is', 'has'].includes(operator) ? `${operator}:${operand}` : operator
}

function searches({ mark }: Places): Term[] {
  return ['pears zebra', 'pears', 'APPLES pears', '"apples and pears"', `${mark} "and pears"`].map((operand) => ({
    operator: 'search',
    operand,
  }))
}

function asQuestion(terms: fc.Arbitrary<readonly Term[]>): fc.Arbitrary<Question> {
  return fc
    .record({ terms: terms.filter(mayStandTogether), isOld: fc.boolean() })
    .map(({ terms: all, isOld }) => ({ terms: all, narrow: (isOld ? pairsOf(all) : undefined) ?? all }))
}

export function matchingOf(world: World, { terms }: Question): ModelMessage[] {
  return world.messages.filter((message) => fits(world, message, terms))
}

/** A range around an anchor at the position of a message. */
export interface AnyRange {
  readonly place: 'newest' | 'oldest' | 'first_unread' | 'nothing' | 'everything' | number
  readonly before: number
  readonly after: number
  readonly includeAnchor: boolean
}

/** Each kind of anchor with nothing, little and everything around it, and each side without the anchor. */
export function everyRange(count: number): AnyRange[] {
  const ends = ['newest', 'oldest', 'first_unread', 'nothing', 'everything'] as const
  const sides = [
    [0, 0],
    [2, 0],
    [0, 2],
    [count, count],
  ] as const
  const middle = Math.floor(count / 2)
  const all = [...ends, 0, middle, count - 1].flatMap((place) =>
    sides.map(([before, after]) => ({ place, before, after, includeAnchor: true })),
  )
  const besideAnchor = [sides[1], sides[2]].map(([before, after]) => ({ before, after, includeAnchor: false }))
  const allButEnds = { place: middle, before: middle - 1, after: count - middle - 2, includeAnchor: true }
  return [...all, ...besideAnchor.map((range) => ({ ...range, place: middle })), allButEnds]
}

const side = fc.nat({ max: 4 })

/** @param count number of messages in the model */
export function anyRange(count: number): fc.Arbitrary<AnyRange> {
  return fc
    .record({
      place: fc.oneof(
        fc.constantFrom('newest' as const, 'oldest' as const, 'first_unread' as const, 'nothing' as const),
        fc.constantFrom('everything' as const),
        fc.nat({ max: count - 1 }),
        fc.nat({ max: count - 1 }),
      ),
      before: side,
      after: side,
      includeAnchor: fc.boolean(),
    })
    .map((range) => ({ ...range, includeAnchor: range.includeAnchor || !isOneSided(range) }))
}

/** Only a range on one side may leave out the anchor: otherwise both sides are the same question. */
function isOneSided({ before, after }: { before: number; after: number }): boolean {
  return (before === 0) !== (after === 0)
}

/**
 * The range as a request that the model can answer. Avoids the anchor `oldest` if older messages, unknown to the model,
 * match. Avoids `first_unread` if the first unread message is muted, because servers skip it in some narrows.
 */
export function requestOf(
  world: World,
  { place, before, after, includeAnchor }: AnyRange,
  matching: readonly ModelMessage[],
  isClosed: boolean,
): RangeRequest {
  const sides = { before, after, includeAnchor }
  const { messages } = world
  const first = messages[0]?.id ?? 0
  if (typeof place === 'number') return { ...sides, anchor: messages[place]?.id ?? first }
  const unread = matching.find(({ flags }) => !flags.has('read'))
  const isSkipped = unread !== undefined && isMuted(world, unread)
  if (place === 'first_unread') return { ...sides, anchor: isClosed && !isSkipped ? place : 'newest' }
  if (place === 'oldest') return { ...sides, anchor: isClosed ? place : first }
  // An id above those of all messages, with no message yet.
  if (place === 'nothing') return { ...sides, anchor: (messages.at(-1)?.id ?? 0) + 1_000_000 }
  return { ...sides, anchor: place === 'everything' ? beyondAll : place }
}
