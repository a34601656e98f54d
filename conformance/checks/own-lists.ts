import { isDeepStrictEqual } from 'node:util'
import type { Account, Values } from '../deployment/account.ts'
import { EventQueue } from '../deployment/event-queue.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { isNow } from '../kernel/messaging.ts'
import { ownLists } from '../own-lists/all.ts'
import {
  changeRequest,
  madeId,
  makeRequest,
  type OwnList,
  operationsOf,
  rowsIn,
  ruleOf,
  rulesOf,
  wordsOf,
} from '../own-lists/own-list.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { isBareSuccess, isRefused, type Json } from '../wire/values.ts'

const queueOperations = ['register-queue', 'get-events', 'delete-queue'] as const
/** No server has as many; only Parley's contract says what an impossible id is answered. */
const idBeyondAll = 99_999_999_999

export const checks: readonly Check[] = ownLists.flatMap((noun) => [
  kept(noun),
  notTheirs(noun),
  ...(noun.refused ? [refused(noun)] : []),
])

/** The prefix of the ids of its checks. */
function checksOf({ list }: OwnList): string {
  return list.replaceAll('_', '-')
}

interface Listed {
  readonly exchange: Exchange
  readonly rows: readonly Json[]
}

/** A user's own items of a noun, and the events about them. */
class Keeper {
  readonly #noun: OwnList
  readonly #t: CheckContext
  readonly #user: Account

  constructor(noun: OwnList, t: CheckContext, user: Account) {
    this.#noun = noun
    this.#t = t
    this.#user = user
  }

  /** Fields of an item that no other check uses. */
  given(): Values {
    return { ...this.#noun.given, [this.#noun.mark]: this.#t.unique('kept').slice(-40) }
  }

  make(fields: Values): Promise<Exchange> {
    return this.#user.must(operationsOf(this.#noun).make, makeRequest(this.#noun, fields))
  }

  async made(fields: Values): Promise<Json> {
    return madeId(this.#noun, (await this.make(fields)).body)
  }

  change(id: Json, fields: Values): Promise<Exchange> {
    return this.#user.call(operationsOf(this.#noun).change, changeRequest(this.#noun, id, fields))
  }

  remove(id: Json): Promise<Exchange> {
    return this.#user.call(operationsOf(this.#noun).remove, { [`${this.#noun.item}_id`]: id })
  }

  async all(): Promise<Listed> {
    const exchange = await this.#user.must(operationsOf(this.#noun).all)
    const { count } = exchange.body
    const rows = rowsIn(this.#noun, exchange.body)
    const isCounted = count === undefined || count === rows.length
    this.#t.that('CONTRACT-EFFECT', exchange, isCounted, '`count` of the rows that are listed')
    return { exchange, rows }
  }

  async row(id: Json): Promise<Listed & { readonly row: Json }> {
    const all = await this.all()
    return { ...all, row: all.rows.find((row) => row.id === id) }
  }

  /** Checks that the item with this id is still `row`. */
  async isStill(requirement: string, id: Json, row: Json): Promise<void> {
    const { exchange, row: now } = await this.row(id)
    this.#t.that(requirement, exchange, isDeepStrictEqual(now, row), `still ${JSON.stringify(row)}`)
  }

  /** @param says what it is about */
  isUnknown(answer: Exchange, says: string): void {
    const [t, noun] = [this.#t, this.#noun]
    const isSaid = answer.body?.msg === noun.unknown || !t.isParley
    const refusal = `a refusal, of Parley "${noun.unknown}", of ${says}`
    t.that(ruleOf(noun, 'unknown'), answer, isRefused(answer) && isSaid, refusal)
    const code = noun.rules.gone?.code
    if (code) t.that(code, answer, answer.body?.code === 'BAD_REQUEST', '`code` is "BAD_REQUEST"')
    t.that('ERR-HTTP-1', answer, answer.status === 404, 'HTTP status 404')
  }

  /** Checks the next event, the list and a registration against `wanted`, whose missing times are those of `answer`. */
  async tells(queue: EventQueue, op: 'add' | 'update', requirement: string, wanted: Values, answer: Exchange) {
    const [t, noun] = [this.#t, this.#noun]
    const { event, exchange: told, lacked } = await queue.until({ type: noun.list, op })
    const silence = ruleOf(noun, op === 'add' ? 'added' : 'updated')
    if (!t.that(silence, told, event !== undefined, `a ${noun.list} event; but ${lacked}`)) return undefined
    const listed = await this.row(wanted.id)
    const only = { event_types: [noun.list], fetch_event_types: [noun.list] }
    const registered = await this.#user.must('register-queue', only)
    this.#isTold(requirement, told, rowsIn(noun, event), wanted, answer)
    this.#isTold(requirement, listed.exchange, listed.rows, wanted, answer)
    this.#isTold(requirement, registered, rowsIn(noun, registered.body), wanted, answer)
    const names = [...new Set(['id', ...Object.keys(noun.given), ...noun.times])].toSorted()
    const fields = Object.keys(rowsIn(noun, event)[0] ?? {}).toSorted()
    t.that(ruleOf(noun, 'shape'), told, fields.join() === names.join(), `the fields ${names}`)
    this.#isInOrder(listed)
    return listed.row
  }

  #isTold(requirement: string, seen: Exchange, rows: readonly Json[], wanted: Values, answer: Exchange): void {
    const [t, noun] = [this.#t, this.#noun]
    const row = rows.find(({ id }) => id === wanted.id)
    const fields = row && Object.fromEntries(Object.entries(row).filter(([name]) => name in wanted))
    t.that(requirement, seen, isDeepStrictEqual(fields, wanted), `the ${wordsOf(noun.item)} ${JSON.stringify(wanted)}`)
    const isTimely = noun.times.every((time) => time in wanted || isNow(row?.[time], answer))
    t.that(ruleOf(noun, 'shape'), seen, isTimely, `${noun.times} of now, unless given`)
  }

  /** The order of the list: no requirement states it for other servers. */
  #isInOrder({ exchange, rows }: Listed): void {
    const { order = 'id' } = this.#noun
    const values = rows.map((row) => row[order])
    const isRight = !this.#t.isParley || values.every((value, index) => index === 0 || value >= values[index - 1])
    this.#t.that('CONTRACT-EFFECT', exchange, isRight, `${wordsOf(this.#noun.list)} by \`${order}\``)
  }
}

function kept(noun: OwnList): Check {
  const { list, item, times, area } = noun
  const operations = operationsOf(noun)
  const words = wordsOf(item)
  const rules = [...noun.changes.map(([id]) => id), ...rulesOf(noun), 'ERR-HTTP-1', 'CONTRACT-EFFECT']
  return {
    area,
    profile: 'events',
    id: `${checksOf(noun)}/kept`,
    title: `a ${words} is kept, changed and deleted, as its owner’s clients are told`,
    requirements: [...new Set(rules)],
    also: Object.values(operations),
    operations: [...Object.values(operations), ...queueOperations],
    async run(t) {
      const scene = await t.scene()
      const own = new Keeper(noun, t, scene.user)
      const queue = await EventQueue.open(scene.user, { event_types: [list], fetch_event_types: [list] })
      const given = own.given()
      const made = await own.make(given)
      const id = madeId(noun, made.body)
      if (!t.that(ruleOf(noun, 'anId'), made, Number.isInteger(id), 'the ID of a new one: an integer')) return
      let wanted: Values = { id, ...given }
      let row = await own.tells(queue, 'add', ruleOf(noun, 'shown'), wanted, made)
      const longest = { ...given, ...noun.longest }
      const second = await own.make(longest)
      const next = madeId(noun, second.body)
      const beside = await own.tells(queue, 'add', ruleOf(noun, 'shown'), { id: next, ...longest }, second)
      for (const [requirement, change] of [...noun.changes, ['CONTRACT-EFFECT', noun.longest] as const]) {
        const fields = typeof change === 'function' ? change(scene) : change
        const same = Object.fromEntries(times.map((name) => [name, row?.[name]]))
        wanted = noun.replaces ? { id, ...noun.given, ...fields } : { ...wanted, ...same, ...fields }
        const changed = await own.change(id, fields)
        if (!t.that(ruleOf(noun, 'changes'), changed, !isRefused(changed), 'a success: it is the caller’s')) return
        t.that(ruleOf(noun, 'bare'), changed, isBareSuccess(changed), '`result` and `msg` alone')
        row = await own.tells(queue, 'update', requirement, wanted, changed)
        await own.isStill('CONTRACT-EFFECT', next, beside)
      }
      if (!noun.replaces) {
        const unchanged = await own.change(id, {})
        t.that(ruleOf(noun, 'unchanged'), unchanged, !isRefused(unchanged), 'a success: nothing is to be changed')
        await own.isStill(ruleOf(noun, 'unchanged'), id, row)
      }
      for (const one of [id, next]) {
        const removed = await own.remove(one)
        t.that(ruleOf(noun, 'left'), removed, !isRefused(removed), 'a success: it is the caller’s')
        const told = await queue.until({ type: list, op: 'remove' })
        const isTold = t.that(ruleOf(noun, 'left'), told.exchange, !!told.event, `a ${list} event; but ${told.lacked}`)
        if (!isTold) return
        // Other servers may send an event for a change that changes nothing.
        const isAlone = !t.isParley || told.events.length === 1
        t.that('CONTRACT-EFFECT', told.exchange, isAlone, `of ${list} nothing before that ${one} went`)
        t.that(ruleOf(noun, 'removed'), told.exchange, told.event?.[`${item}_id`] === one, `\`${item}_id\` is ${one}`)
        const { exchange, row: gone } = await own.row(one)
        t.that(ruleOf(noun, 'left'), exchange, gone === undefined, `no ${words} ${one}`)
        if (one === id) await own.isStill('CONTRACT-EFFECT', next, beside)
        own.isUnknown(await own.change(one, noun.given), 'what was deleted')
        own.isUnknown(await own.remove(one), 'what was deleted')
      }
    },
  }
}

function notTheirs(noun: OwnList): Check {
  const { list, item, area } = noun
  const operations = operationsOf(noun)
  const words = wordsOf(item)
  return {
    area,
    profile: 'events',
    id: `${checksOf(noun)}/not-theirs`,
    title: `a ${words} of somebody else is not there`,
    requirements: [
      ...new Set([ruleOf(noun, 'unknown'), noun.rules.gone?.code ?? 'ERR-HTTP-1', 'ERR-HTTP-1', 'CONTRACT-EFFECT']),
    ],
    operations: [...Object.values(operations), ...queueOperations],
    async run(t) {
      const { user, other } = await t.scene()
      const [own, others] = [new Keeper(noun, t, user), new Keeper(noun, t, other)]
      const only = { event_types: [list], fetch_event_types: [list] }
      const [queue, foreign] = [await EventQueue.open(user, only), await EventQueue.open(other, only)]
      const id = await own.made(own.given())
      await queue.until({ type: list, op: 'add' }) // the caller's event comes first, and somebody else's after it
      const { row } = await own.row(id)
      const intruding = Object.fromEntries(
        Object.entries(noun.given).map(([name, value]) => [name, isText(value) ? 'Of somebody else.' : value]),
      )
      for (const nothing of [idOfNothing, ...(t.isParley ? [idBeyondAll] : [])]) {
        own.isUnknown(await own.change(nothing, intruding), `ID ${nothing}`)
        own.isUnknown(await own.remove(nothing), `ID ${nothing}`)
      }
      others.isUnknown(await others.change(id, intruding), `the ${words} of user ${user.userId}`)
      await own.isStill('CONTRACT-EFFECT', id, row)
      others.isUnknown(await others.remove(id), `the ${words} of user ${user.userId}`)
      await own.isStill('CONTRACT-EFFECT', id, row)
      const { exchange, row: seen } = await others.row(id)
      t.that('CONTRACT-EFFECT', exchange, seen === undefined, `nothing of user ${user.userId}`)
      const theirs = await others.made(others.given())
      const heard = await foreign.until({ type: list })
      const isOwn = rowsIn(noun, heard.event)[0]?.id === theirs
      t.that('CONTRACT-EFFECT', heard.exchange, isOwn, `of a ${words} one’s own alone`)
      await own.remove(id)
      const last = await queue.until({ type: list })
      const isLast = last.event?.op === 'remove'
      const says = `of ${list} that it was deleted, and nothing of what was refused`
      t.that('CONTRACT-EFFECT', last.exchange, isLast, says)
      await others.remove(theirs)
    },
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function refused(noun: OwnList): Check {
  const { refused: wrong = [], given, mark } = noun
  const operations = operationsOf(noun)
  return {
    area: noun.area,
    profile: 'core',
    id: `${checksOf(noun)}/refused`,
    title: `a ${wordsOf(noun.item)} that cannot be kept is refused`,
    requirements: [...new Set([...wrong.map(([id]) => id), 'CONTRACT-EFFECT'])],
    operations: Object.values(operations),
    async run(t) {
      const { user } = await t.scene()
      const own = new Keeper(noun, t, user)
      const id = await own.made(own.given())
      const { rows: before } = await own.all()
      for (const [requirement, fields, msg, isOurs] of wrong) {
        if (isOurs && !t.isParley) continue
        for (const answer of [
          await user.call(operations.make, makeRequest(noun, { ...given, ...fields })),
          await own.change(id, fields),
          await own.change(id, { ...given, [mark]: 'Of what is refused nothing is kept.', ...fields }),
        ]) {
          t.that(requirement, answer, answer.body?.code === 'BAD_REQUEST', '`code` is "BAD_REQUEST"')
          t.that('CONTRACT-EFFECT', answer, answer.body?.msg === msg || !t.isParley, `\`msg\` is "${msg}"`)
        }
      }
      const { exchange, rows } = await own.all()
      t.that('CONTRACT-EFFECT', exchange, isDeepStrictEqual(byId(rows), byId(before)), 'those from before')
      await own.remove(id)
    },
  }
}

function byId(rows: readonly Json[]): Json[] {
  return rows.toSorted((a, b) => a.id - b.id)
}
