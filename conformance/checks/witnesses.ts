import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { followsEnvelope, refusalRules, successRules } from '../kernel/envelope.ts'
import { Audiences, messagesIn } from '../ledger/audiences.ts'
import { Constants } from '../ledger/constants.ts'
import { Ledger, type Mismatch } from '../ledger/ledger.ts'
import { type List, lists } from '../ledger/things.ts'
import { isStream } from '../ledger/writes.ts'
import { holds, type Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { legacyEvents } from '../wire/older-events.ts'
import { requestValues } from '../wire/request-values.ts'
import { isObject, type Json, listOf } from '../wire/values.ts'

/** After this many findings a witness stops looking. */
const mostFindings = 50
const base = { area: 'The whole run', profile: 'core', operations: [], isWitness: true } as const

/** What is checked about every answer and event of a run, whatever check has sent the request. */
export const checks: readonly Check[] = [
  {
    ...base,
    id: 'run/answers',
    title: 'every answer of the run is as the contract describes it',
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
    title: 'what the run has written shows in every answer, and messages to nobody else',
    requirements: ['CONTRACT-KEPT', 'CONTRACT-AUDIENCE'],
    run: (t) => new Bookkeeper(t).run(),
  },
  {
    ...base,
    id: 'run/events',
    title:
      'every event queue of the run tells what it was asked for and what is known, each event after those before it',
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
    title: 'what never changes of messages, channels, users and files is the same in every answer of the run',
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

/** Event types that every queue gets; older servers also send former types for settings. */
const unasked = new Set(['heartbeat', 'restart', 'web_reload_client', ...legacyEvents.types])

/** Event types of deployed servers that the contract does not describe. */
const undescribed: ReadonlySet<unknown> = new Set(['has_zoom_token', 'web_reload_client', ...legacyEvents.types])

/** @param types those that the queue was registered for; undefined means all of them */
function followsRequest(
  t: CheckContext,
  exchange: Exchange,
  values: ReadonlyMap<string, unknown>,
  types: ReadonlySet<unknown> | undefined,
): void {
  const start = values.get('last_event_id')
  let last = typeof start === 'number' ? start : -1
  for (const { id, type, op } of exchange.body.events) {
    const isAsked = types === undefined || types.has(type) || unasked.has(type)
    const says = `events of the types ${[...(types ?? [])].join(', ')} alone; but there is ${JSON.stringify(type)}`
    t.that('CONTRACT-ASKED', exchange, isAsked, says)
    const rises = Number(id) > last
    t.that(last === start ? 'EVENTS-2' : 'EVENTS-6', exchange, rises, `event ${id} has a number above ${last}`)
    last = Number(id)
    if (t.level > t.deployment.contract.level) continue // a newer server may have more types
    const ops = t.deployment.answers.opsOf(type)
    const isKnown = ops.length > 0 || undescribed.has(type)
    t.that('EV-OTHER-16', exchange, isKnown, `a type that is known; but there is ${JSON.stringify(type)}`)
    if (type !== 'realm_user' && type !== 'subscription') continue
    const known = `an op of ${type} that is known; but there is ${JSON.stringify(op)}`
    t.that('EV-OTHER-17', exchange, ops.includes(op), known)
  }
}

function hasListedType(t: CheckContext, { id, types }: Operation, exchange: Exchange): void {
  const listed = types.get(exchange.status) ?? []
  if (listed.length === 0 || listed.some((type) => type.startsWith('application/octet-stream'))) return
  const found = exchange.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  const expected = `${listed.join(' or ')} for HTTP ${exchange.status} of ${id}`
  t.that('CONTRACT-TYPE', exchange, found !== undefined && listed.includes(found), expected)
}

/** Checks what an answer calls ignored against the operation's parameters in the contract. */
function knowsItsParameters(t: CheckContext, { id, parameters }: Operation, exchange: Exchange): void {
  const ignored = listOf(exchange.body?.ignored_parameters_unsupported)
  for (const { name, levels, parleyOnly } of parameters) {
    if (!ignored.includes(name) || !holds(levels, t.level) || (parleyOnly && !t.isParley)) continue
    t.thatOrDeviates('NOTE-39', 'ENV-11', exchange, false, `\`${name}\` is not ignored: it is a parameter of ${id}`)
  }
}

/** Records what a run writes, what answers show of it, and who gets its messages. */
class Bookkeeper {
  readonly #t: CheckContext
  readonly #ledger: Ledger
  readonly #audiences = new Audiences()

  constructor(t: CheckContext) {
    this.#t = t
    // Bots cannot be created: simultaneous runs change the same given one.
    const bots = new Set(t.deployment.given.filter(({ isBot }) => isBot).map(({ userId }) => `user ${userId}`))
    this.#ledger = new Ledger(
      (idOrAddress) => t.deployment.idOf(idOrAddress),
      (subject) => bots.has(subject),
    )
  }

  async run(): Promise<void> {
    await this.#t.watch((exchange, operation) => {
      const caller = exchange.request.as && this.#t.deployment.userIdOf(exchange.request.as)
      if (operation !== undefined && caller !== undefined) this.#note(exchange, operation, caller)
    })
    this.#conclude()
  }

  #note(exchange: Exchange, operation: Operation, caller: number): void {
    const values = requestValues(operation, exchange.request) as ReadonlyMap<string, Json>
    this.#ledger.note(exchange, operation, values, caller)
    if (exchange.status !== 400) this.#doubt(exchange, operation, values, caller)
    if (exchange.body?.result !== 'success') return
    switch (operation.id) {
      case 'send-message':
        this.#audiences.noteMessage(exchange.body.id, caller, isStream(values.get('type')), values.get('to'))
        break
      case 'subscribe':
      case 'update-subscriptions':
        this.#noteSubscribed(values, caller)
        break
      case 'get-events':
        for (const event of listOf(exchange.body.events)) {
          if (event?.type !== 'update_message_flags') this.#noteShown(event, caller, exchange)
        }
        break
      case 'get-messages':
      case 'get-message':
        this.#noteShown(exchange.body, caller, exchange)
        break
      case 'get-subscriptions':
        for (const one of listOf(exchange.body.subscriptions)) this.#audiences.noteName(one.stream_id, String(one.name))
    }
  }

  /** Changes whose result a request does not tell. */
  #doubt(exchange: Exchange, { id }: Operation, values: ReadonlyMap<string, Json>, caller: number): void {
    if (id === 'archive-stream') {
      // Servers differ in what happens to its subscriptions.
      const channel = this.#audiences.nameOf(String(values.get('stream_id')))
      this.#ledger.doubt('subscriptions', (_, name) => name === channel, exchange)
    }
    if (id === 'update-stream') {
      // From now on it may have another name, and others may get access.
      const channel = this.#audiences.nameOf(String(values.get('stream_id')))
      if (values.has('new_name')) this.#ledger.doubt('subscriptions', (_, name) => name === channel, exchange)
      if (channel !== undefined) this.#audiences.noteOpen(channel)
    }
    if (id === 'remove-reaction' && !values.has('emoji_name')) {
      // The ledger knows emoji by name.
      const { name: meant } = lists.reactions(values.get('message_id'))
      const isMeant = ({ name }: List, vote: string): boolean => name === meant && vote.startsWith(`${caller} `)
      this.#ledger.doubt('reactions', isMeant, exchange)
    }
  }

  #noteShown(value: Json, caller: number, exchange: Exchange): void {
    for (const id of messagesIn(value)) this.#audiences.sees(caller, id, exchange)
  }

  #noteSubscribed(values: ReadonlyMap<string, Json>, caller: number): void {
    const principals = listOf(values.get('principals'))
    const ids = principals.flatMap((one) => this.#t.deployment.idOf(one) ?? [])
    const isOpen =
      principals.length !== ids.length || values.has('can_subscribe_group') || values.has('can_add_subscribers_group')
    const isPrivate = values.get('invite_only') === true
    for (const one of [...listOf(values.get('subscriptions')), ...listOf(values.get('add'))]) {
      if (isObject(one)) this.#audiences.noteSubscription(String(one.name), [caller, ...ids], { isPrivate, isOpen })
    }
  }

  #conclude(): void {
    const t = this.#t
    for (const one of this.#ledger.mismatches().slice(0, mostFindings)) {
      const { exchange, found } = one
      t.that('CONTRACT-KEPT', exchange, false, `${whatWas(one)}; but it is ${JSON.stringify(found)}`)
    }
    const leaks = this.#audiences.leaks()
    for (const { exchange, userId, what } of leaks.slice(0, mostFindings)) {
      t.that('CONTRACT-AUDIENCE', exchange, false, `nothing of ${what}, to which user ${userId} never had access`)
    }
    const any = t.deployment.feed.last
    if (any === undefined) return
    if (this.#ledger.held > 0) t.that('CONTRACT-KEPT', any, true, '')
    if (this.#audiences.held > 0) t.that('CONTRACT-AUDIENCE', any, true, '')
  }
}

function whatWas({ thing, possible }: Mismatch): string {
  const values = [...new Set(possible.map((one) => JSON.stringify(one)))]
  return `${thing.name} is ${values.join(' or ')}, as it was written`
}
