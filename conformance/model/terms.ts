import type { Term } from './narrow.ts'
import { isSameTopic, type ModelMessage, topicOf, type World } from './world.ts'

/** Terms about the world that a server of this level understands: every operator, with every form of its operand. */
export function termsOf(world: World, { level }: { readonly level: number }): Term[] {
  const all: Term[] = [
    ...placeTerms(world),
    ...directTerms(world),
    ...operands('sender', people(world)),
    ...operands('is', isWhat(level)),
    ...operands('has', ['link', 'image', 'attachment', 'reaction']),
    ...messageTerms(world, level),
    { operator: 'in', operand: 'all' },
  ]
  if (level >= 446) all.push(...operands('mentions', people(world)))
  return all
}

function placeTerms({ channels, messages }: World): Term[] {
  const topics = [...new Set(messages.flatMap((one) => topicOf(one)?.name ?? []))]
  return [
    ...['stream', 'channel'].flatMap((operator) =>
      operands(
        operator,
        channels.flatMap(({ id, name }) => [id, name, name.toUpperCase()]),
      ),
    ),
    ...operands(
      'topic',
      topics.flatMap((name) => (name === '' ? [name] : [name, name.toUpperCase()])),
    ),
    { operator: 'channels', operand: 'public' },
  ]
}

function directTerms(world: World): Term[] {
  const { readerId, messages } = world
  const conversations = messages.flatMap(({ place }) => ('people' in place ? [place.people] : []))
  const emailOf = (id: number): string => world.people.find((one) => one.id === id)?.email ?? ''
  const exact = ['pm-with', 'dm'].flatMap((operator) =>
    operands(
      operator,
      conversations.flatMap((members) => {
        const others = members.filter((id) => id !== readerId)
        return others.length === 0 ? [[readerId]] : [others, members, others.map(emailOf).join(',')]
      }),
    ),
  )
  const others = people(world).filter((one) => one !== readerId && one !== emailOf(readerId))
  return [...exact, ...operands('dm-including', people(world)), ...operands('group-pm-with', others)]
}

function isWhat(level: number): string[] {
  return [
    ...['dm', 'private', 'starred', 'unread', 'mentioned', 'alerted', 'resolved'],
    ...(level >= 265 ? ['followed'] : []),
    ...(level >= 366 ? ['muted'] : []),
  ]
}

function messageTerms({ messages }: World, level: number): Term[] {
  const ids = messages.map(({ id }) => id)
  return [
    ...operands(
      'id',
      ids.flatMap((id) => [id, String(id)]),
    ),
    ...operands('near', ids.slice(0, 2).map(String)),
    ...(level >= 271
      ? operands(
          'with',
          ids.flatMap((id) => [id, String(id)]),
        )
      : []),
  ]
}

function people({ people: all }: World): (string | number)[] {
  return all.flatMap(({ id, email }) => [id, email])
}

function operands(operator: string, all: readonly Term['operand'][]): Term[] {
  return all.map((operand) => ({ operator, operand }))
}

const ofChannels = new Set(['channel', 'stream', 'channels', 'streams', 'topic', 'is:resolved', 'is:followed'])
const ofPeople = new Set(['dm', 'pm-with', 'dm-including', 'group-pm-with', 'is:dm', 'is:private'])
/** Operators that cannot be negated, or do not change what is selected. */
const plainOnly = new Set(['with', 'near', 'in'])

function kindOf({ operator, operand }: Term): string {
  return operator === 'is' ? `is:${operand}` : operator
}

/**
 * Whether the terms can be combined: nothing is both in a channel and in a direct conversation, and `with` replaces
 * terms that name a conversation.
 */
export function mayStandTogether(narrow: readonly Term[]): boolean {
  if (narrow.some(({ operator, negated }) => negated && plainOnly.has(operator))) return false
  const withs = narrow.filter(({ operator }) => operator === 'with')
  if (withs.length > 0)
    return withs.length === 1 && !narrow.some((term) => isOf(ofChannels, term) || isOf(ofPeople, term))
  const wanted = narrow.filter(({ negated }) => !negated)
  return !(wanted.some((term) => isOf(ofChannels, term)) && wanted.some((term) => isOf(ofPeople, term)))
}

function isOf(kinds: ReadonlySet<string>, term: Term): boolean {
  return kinds.has(kindOf(term))
}

/** The older form, in which everything is text; undefined if it cannot express the terms. */
export function pairsOf(narrow: readonly Term[]): [string, string][] | undefined {
  if (narrow.some(({ operand, negated }) => negated || typeof operand !== 'string')) return undefined
  return narrow.map(({ operator, operand }) => [operator, String(operand)])
}

/** Whether it is in a muted topic. */
export function isMuted({ muted }: World, message: ModelMessage): boolean {
  return muted.some((topic) => isSameTopic(topic, topicOf(message)))
}
