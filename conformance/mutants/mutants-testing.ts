/** Servers that do one thing wrong each time, derived from what a right one answered. */
import { isObject } from '../wire/values.ts'
import { changedAt, type Place, placesIn, valueOperators } from './answers-testing.ts'
import type { Answer, Mutate, Recorded } from './trace-testing.ts'

export interface Mutant {
  /** Of the operation, or the type of an event: `get-message`, `event reaction/add`. */
  readonly subject: string
  /** Of the value, such as `/message/content`; empty for the whole answer or event. */
  readonly path: string
  readonly operator: string
}

type Event = Readonly<Record<string, unknown>>

/** What can be wrong with all events of a type in an answer. */
const ofEvents: Readonly<Record<string, (events: readonly Event[], isMeant: (event: Event) => boolean) => Event[]>> = {
  lost: (events, isMeant) => events.filter((event) => !isMeant(event)),
  doubled: (events, isMeant) => events.flatMap((event) => (isMeant(event) ? [event, event] : [event])),
  late(events, isMeant) {
    const later = [...events.filter((event) => !isMeant(event)), ...events.filter(isMeant)]
    return later.map((event, index) => ({ ...event, id: events[index]?.id }))
  },
}

/** Everything that can be wrong with what a run was answered, each once. */
export function mutantsOf(trace: readonly Recorded[]): Mutant[] {
  const all = new Map<string, Mutant>()
  for (const recorded of trace) {
    if (recorded.status !== 200 || recorded.operation === undefined) continue
    for (const { subject, value } of partsOf(recorded)) {
      const events = subject.startsWith('event ') ? Object.keys(ofEvents) : []
      for (const operator of events) all.set(`${subject} ${operator}`, { subject, path: '', operator })
      // What a success says in `msg` is for people.
      for (const place of placesIn(value).filter(({ pattern }) => pattern !== '/msg')) {
        for (const operator of operatorsAt(place)) {
          const id = `${subject} ${place.pattern} ${operator}`
          if (!all.has(id)) all.set(id, { subject, path: place.pattern, operator })
        }
      }
    }
  }
  return [...all.values()]
}

/** An object with more fields than the contract has is no mutant: that is how the API grows. */
function operatorsAt({ value }: Place): string[] {
  const names = [...valueOperators].flatMap(([name, operator]) => (operator(value) === undefined ? [] : [name]))
  return names.filter((name) => name !== 'more' || Array.isArray(value))
}

/** A server that is wrong in all of these ways. */
export function mutationBy(mutants: readonly Mutant[]): Mutate {
  const bySubject = Map.groupBy(mutants, ({ subject }) => subject)
  return (recorded) => {
    if (recorded.status !== 200) return recorded
    const parts = partsOf(recorded)
    if (!parts.some(({ subject }) => bySubject.has(subject))) return recorded
    return mutated(recorded, bySubject)
  }
}

function mutated(recorded: Recorded, bySubject: ReadonlyMap<string, readonly Mutant[]>): Answer {
  const parts = partsOf(recorded).map(({ subject, value }) => ({
    subject,
    value: inPlaces(value, bySubject.get(subject) ?? []),
  }))
  const [whole, ...told] = parts
  let events = told.map(({ value }) => value as Event)
  for (const [subject, mutants] of bySubject) {
    for (const { operator } of mutants.filter(({ path }) => path === '')) {
      events = ofEvents[operator]?.(events, (event) => nameOf(event) === subject) ?? events
    }
  }
  const body = told.length > 0 && isObject(whole?.value) ? { ...whole.value, events } : whole?.value
  return { status: recorded.status, headers: recorded.headers, text: JSON.stringify(body) }
}

function inPlaces(value: unknown, mutants: readonly Mutant[]): unknown {
  return mutants.reduce(
    (body, { path, operator }) => (path === '' ? body : changedAt(body, operator, (pattern) => pattern === path)),
    value,
  )
}

/** An answer without its events, and each of them. */
function partsOf({ operation = '', body }: Recorded): { subject: string; value: unknown }[] {
  if (!isObject(body)) return []
  if (operation !== 'get-events' || !Array.isArray(body.events)) return [{ subject: operation, value: body }]
  const events = (body.events as Event[]).map((event) => ({ subject: nameOf(event), value: event }))
  return [{ subject: operation, value: { ...body, events: [] } }, ...events]
}

function nameOf({ type, op }: Event): string {
  return `event ${type}${typeof op === 'string' ? `/${op}` : ''}`
}
