/** Servers that do one thing wrong, derived from the answers of a right one. */
import { isObject } from '../wire/values.ts'
import { admitted, changedAt, ofValue, type Place, placesIn, refusedAs } from './answers-testing.ts'
import type { Answer, Mutate, Recorded } from './trace-testing.ts'

export interface Mutant {
  /** The operation or event type: `get-message`, `event reaction/add`. */
  readonly subject: string
  /**
   * Path of the value, such as `/message/content`; empty for the whole event. For refusals: what they have in common,
   * such as `400 BAD_REQUEST Invalid message(s)`. For requests: the name of a parameter.
   */
  readonly path: string
  readonly operator: string
}

export const idOf = ({ subject, path, operator }: Mutant): string => [subject, path, operator].filter(Boolean).join(' ')

type Event = Readonly<Record<string, unknown>>

/** Ways in which all events of a type in an answer can be wrong. */
const ofEvents: Readonly<Record<string, (events: readonly Event[], isMeant: (event: Event) => boolean) => Event[]>> = {
  lost: (events, isMeant) => events.filter((event) => !isMeant(event)),
  doubled: (events, isMeant) => events.flatMap((event) => (isMeant(event) ? [event, event] : [event])),
  late(events, isMeant) {
    const later = [...events.filter((event) => !isMeant(event)), ...events.filter(isMeant)]
    return later.map((event, index) => ({ ...event, id: events[index]?.id }))
  },
}

/** Ways in which all refusals for one reason can be wrong. */
const ofRefusals: Readonly<Record<string, (recorded: Recorded) => Answer | undefined>> = {
  admitted,
  'another code': (recorded) => {
    const { code } = recorded.body as { code: unknown }
    return refusedAs(recorded, { code: code === 'MISSING_STREAM' ? 'BAD_REQUEST' : 'MISSING_STREAM' }, recorded.status)
  },
}

/** Every way in which the answers of a run can be wrong, each once. */
export function mutantsOf(trace: readonly Recorded[]): Mutant[] {
  const all = trace.flatMap((recorded): Mutant[] => {
    const { operation: subject } = recorded
    if (subject === undefined) return []
    const path = reasonOf(recorded)
    if (path !== undefined) return Object.keys(ofRefusals).map((operator) => ({ subject, path, operator }))
    return recorded.status === 200 ? [...partsOf(recorded).flatMap(mutantsIn), ...lateIn(recorded)] : []
  })
  return [...new Map(all.map((one) => [idOf(one), one])).values()]
}

function mutantsIn({ subject, value }: Part): Mutant[] {
  const events = subject.startsWith('event ') ? ['lost', 'doubled'] : []
  // The `msg` of a success is for people.
  const places = placesIn(value).filter(({ pattern }) => pattern !== '/msg')
  return [
    ...events.map((operator) => ({ subject, path: '', operator })),
    ...places.flatMap((place) => operatorsAt(place).map((operator) => ({ subject, path: place.pattern, operator }))),
  ]
}

/** Events that others follow. */
function lateIn(recorded: Recorded): Mutant[] {
  const subjects = partsOf(recorded).flatMap(({ subject }) => (subject.startsWith('event ') ? [subject] : []))
  const isEarly = (subject: string): boolean => subjects.slice(subjects.indexOf(subject)).some((one) => one !== subject)
  return subjects.filter(isEarly).map((subject) => ({ subject, path: '', operator: 'late' }))
}

/** Equal for refusals that say the same about different things; undefined for other answers. */
function reasonOf({ status, body }: Recorded): string | undefined {
  if (status < 400 || !isObject(body) || typeof body.code !== 'string') return undefined
  return `${status} ${body.code} ${String(body.msg).replaceAll(/"[^"]*"|'[^']*'|\S*\d\S*/g, '…')}`
}

/** An object with extra fields is no mutant, because the API grows that way. */
function operatorsAt({ pattern, value }: Place): string[] {
  const names = Object.entries(ofValue).flatMap(([name, operator]) => (operator(value) === undefined ? [] : [name]))
  const isElement = pattern.endsWith('/[]') // it can only be null
  return names.filter((name) => (name !== 'more' || Array.isArray(value)) && (name !== 'absent' || !isElement))
}

/** A server that is wrong in all of these ways. */
export function mutationBy(mutants: readonly Mutant[]): Mutate {
  const bySubject = Map.groupBy(mutants, ({ subject }) => subject)
  return (recorded) => {
    const reason = reasonOf(recorded)
    if (reason !== undefined) {
      const mutant = bySubject.get(recorded.operation ?? '')?.find(({ path }) => path === reason)
      return ofRefusals[mutant?.operator ?? '']?.(recorded) ?? recorded
    }
    if (recorded.status !== 200) return recorded
    const parts = partsOf(recorded)
    if (!parts.some(({ subject }) => bySubject.has(subject))) return recorded
    return mutated(recorded, parts, bySubject)
  }
}

function mutated(recorded: Recorded, parts: readonly Part[], bySubject: ReadonlyMap<string, readonly Mutant[]>) {
  const [whole, ...told] = parts.map(({ subject, value }) => ({
    subject,
    value: inPlaces(value, bySubject.get(subject) ?? []),
  }))
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

interface Part {
  readonly subject: string
  readonly value: unknown
}

/** An answer without its events, and each event. */
function partsOf({ operation = '', body }: Recorded): Part[] {
  if (!isObject(body)) return []
  if (operation !== 'get-events' || !Array.isArray(body.events)) return [{ subject: operation, value: body }]
  const events = (body.events as Event[]).map((event) => ({ subject: nameOf(event), value: event }))
  return [{ subject: operation, value: { ...body, events: [] } }, ...events]
}

function nameOf({ type, op }: Event): string {
  return `event ${type}${typeof op === 'string' ? `/${op}` : ''}`
}
