import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { followsEnvelope, refusalRules, successRules } from '../kernel/envelope.ts'
import { Constants } from '../ledger/constants.ts'
import { Ledger } from '../ledger/ledger.ts'
import { type List, lists } from '../ledger/things.ts'
import { holds, type Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { legacyEvents } from '../wire/older-events.ts'
import { requestValues } from '../wire/request-values.ts'
import { type Json, listOf, objectsIn } from '../wire/values.ts'

/** Per witness, which then stops looking. */
const mostFindings = 50
const base = { area: 'The whole run', isWitness: true } as const

/** Checks of every answer and event of a run, across all checks. */
export const checks: readonly Check[] = [
  {
    ...base,
    id: 'run/answers',
    title: 'every answer of the run matches the contract',
    requirements: ['CONTRACT-ANSWER', 'CONTRACT-TYPE', 'CONTRACT-FAILURE', 'ENV-15'],
    also: [...new Set([...successRules, ...refusalRules, 'ENV-11'])],
    async run(t) {
      const seen = new Set<string>()
      await t.watch((exchange, operation) => {
        if (operation === undefined || t.findings.length >= mostFindings) return
        const before = t.findings.length
        hasListedType(t, operation, exchange)
        if (operation.hasEnvelope) followsEnvelope(t, operation, exchange)
        knowsItsParameters(t, operation, exchange)
        const fresh = t.findings.splice(before).filter(({ requirement, expected }) => {
          const key = `${operation.id} ${exchange.status} ${requirement} ${expected.replaceAll(/\d+/g, '#').slice(0, 100)}`
          return !seen.has(key) && seen.add(key)
        })
        t.findings.push(...fresh)
      })
    },
  },
  {
    ...base,
    id: 'run/ledger',
    title: 'every answer shows what the run has written',
    requirements: ['CONTRACT-KEPT'],
    run: keepsWhatIsWritten,
  },
  {
    ...base,
    id: 'run/events',
    title: 'every event queue of the run delivers only known and requested types of events, in ascending order',
    requirements: ['CONTRACT-ASKED', 'EVENTS-2', 'EVENTS-6', 'EV-OTHER-16', 'EV-OTHER-17'],
    async run(t) {
      const typesOf = new Map<unknown, ReadonlySet<unknown>>()
      await t.watch((exchange, operation) => {
        if (exchange.body?.result !== 'success' || t.findings.length >= mostFindings) return
        if (operation?.id !== 'register-queue' && operation?.id !== 'get-events') return
        const values = requestValues(operation, exchange.request)
        const { events, queue_id: made } = exchange.body
        const asked = values.get('event_types')
        if (Array.isArray(asked) && made !== undefined && !values.has('queue_id')) typesOf.set(made, new Set(asked))
        if (Array.isArray(events)) followsRequest(t, exchange, values, typesOf.get(values.get('queue_id')))
      })
    },
  },
  {
    ...base,
    id: 'run/constants',
    title: 'constant fields of messages, channels, users and files are the same in every answer',
    requirements: ['CONTRACT-CONSTANT'],
    async run(t) {
      const constants = new Constants(t.level >= 365)
      await t.watch((exchange) => constants.note(exchange))
      for (const { exchange, what, value, before, where } of constants.contradictions().slice(0, mostFindings)) {
        const says = `${what} is ${JSON.stringify(before)}, as in ${where}; but it is ${JSON.stringify(value)}`
        t.that('CONTRACT-CONSTANT', exchange, false, says)
      }
      const any = t.deployment.feed.last
      if (any !== undefined && constants.held > 0) t.that('CONTRACT-CONSTANT', any, true, '')
    },
  },
]

/** Event types that every queue receives; older servers also send former types for settings. */
const unasked = new Set(['heartbeat', 'restart', 'web_reload_client', ...legacyEvents.types])

/** Event types of deployed servers that the contract does not describe. */
const undescribed: ReadonlySet<unknown> = new Set([
  ...['has_zoom_token', 'web_reload_client', 'hotspots', 'realm_filters'],
  ...legacyEvents.types,
])

/** @param types the types that the queue was registered for; undefined: all of them */
function followsRequest(
  t: CheckContext,
  exchange: Exchange,
  values: ReadonlyMap<string, unknown>,
  types: ReadonlySet<unknown> | undefined,
): void {
  const start = values.get('last_event_id')
  let last = typeof start === 'number' ? start : -1
  for (const { id, type, op } of objectsIn(exchange.body.events)) {
    const isAsked = types === undefined || types.has(type) || unasked.has(type)
    const says = `only events of the types ${[...(types ?? [])].join(', ')}; but there is ${JSON.stringify(type)}`
    t.that('CONTRACT-ASKED', exchange, isAsked, says)
    const rises = Number(id) > last
    t.that(last === start ? 'EVENTS-2' : 'EVENTS-6', exchange, rises, `event ${id} has an id above ${last}`)
    last = Number(id)
    if (t.level > t.deployment.contract.level) continue // a newer server may have more types
    const ops = t.deployment.answers.opsOf(type)
    const isKnown = ops.length > 0 || undescribed.has(type)
    t.that('EV-OTHER-16', exchange, isKnown, `a known type; but there is ${JSON.stringify(type)}`)
    if (type !== 'realm_user' && type !== 'subscription') continue
    const known = `a known op of ${type}; but there is ${JSON.stringify(op)}`
    t.that('EV-OTHER-17', exchange, ops.includes(op), known)
  }
}

function hasListedType(t: CheckContext, { id, types }: Operation, exchange: Exchange): void {
  const listed = types.get(exchange.status) ?? []
  if (listed.length === 0 || listed.includes('*/*')) return
  const found = exchange.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  const expected = `${listed.join(' or ')} for HTTP ${exchange.status} of ${id}`
  t.that('CONTRACT-TYPE', exchange, found !== undefined && listed.includes(found), expected)
}

/**
 * Checks the parameters that an answer calls ignored against the contract. Parameters of the path do not count, because
 * clients repeat them in the form, where they are ignored.
 */
function knowsItsParameters(t: CheckContext, { id, parameters }: Operation, exchange: Exchange): void {
  const ignored = listOf(exchange.body?.ignored_parameters_unsupported)
  for (const { name, in: place, levels, parleyOnly } of parameters) {
    if (place === 'path' || !ignored.includes(name) || !holds(levels, t.level) || (parleyOnly && !t.isParley)) continue
    t.thatOrDeviates('NOTE-39', 'ENV-11', exchange, false, `\`${name}\` is not ignored: it is a parameter of ${id}`)
  }
}

async function keepsWhatIsWritten(t: CheckContext): Promise<void> {
  // Bots cannot be created, so simultaneous runs change the same given one.
  const bots = new Set(t.deployment.given.filter(({ isBot }) => isBot).map(({ userId }) => `user ${userId}`))
  const ledger = new Ledger(
    (idOrAddress) => t.deployment.idOf(idOrAddress),
    (subject) => bots.has(subject),
  )
  /** Channel names in lower case, by id. */
  const names = new Map<number, string>()
  await t.watch((exchange, operation) => {
    const caller = exchange.request.as && t.deployment.userIdOf(exchange.request.as)
    if (operation === undefined || caller === undefined) return
    const { id } = operation
    const values = requestValues(operation, exchange.request) as ReadonlyMap<string, Json>
    ledger.note(exchange, operation, values, caller)
    if (id === 'get-subscriptions') {
      for (const one of objectsIn(exchange.body?.subscriptions))
        names.set(one.stream_id, String(one.name).toLowerCase())
    }
    if (exchange.status === 400) return
    // Servers differ about the subscriptions of an archived channel; a changed channel may have another name.
    if (id === 'archive-stream' || (id === 'update-stream' && values.has('new_name'))) {
      const channel = names.get(Number(values.get('stream_id')))
      ledger.doubt('subscriptions', (_, name) => name === channel, exchange)
    }
    if (id === 'subscribe') {
      // A star on a message that was out of reach may have been left out.
      const joined = [caller, ...listOf(values.get('principals'))].map((userId) => `user ${userId}`)
      ledger.doubt('stars', ({ subject }) => joined.includes(subject), exchange)
    }
    if (id === 'remove-reaction' && !values.has('emoji_name')) {
      // The ledger identifies emoji by name.
      const { name: meant } = lists.reactions(values.get('message_id'))
      const isMeant = ({ name }: List, vote: string): boolean => name === meant && vote.startsWith(`${caller} `)
      ledger.doubt('reactions', isMeant, exchange)
    }
  })
  for (const { exchange, thing, possible, found } of ledger.mismatches().slice(0, mostFindings)) {
    const values = [...new Set(possible.map((one) => JSON.stringify(one)))]
    const says = `${thing.name} is ${values.join(' or ')}, as it was written; but it is ${JSON.stringify(found)}`
    t.that('CONTRACT-KEPT', exchange, false, says)
  }
  const any = t.deployment.feed.last
  if (any !== undefined && ledger.held > 0) t.that('CONTRACT-KEPT', any, true, '')
}
