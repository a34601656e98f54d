import { isDeepStrictEqual } from 'node:util'
import type { Account, Values } from '../deployment/account.ts'
import { EventQueue } from '../deployment/event-queue.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { isNow } from '../kernel/messaging.ts'
import {
  changeRequest,
  madeId,
  makeRequest,
  type OwnList,
  operationsOf,
  rowsIn,
  ruleOf,
  wordsOf,
} from '../own-lists/own-list.ts'
import { collected } from '../own-lists.generated.ts'
import type { Exchange } from '../wire/http.ts'
import { isBareSuccess, isRefused, type Json } from '../wire/values.ts'

const queueOperations = ['register-queue', 'get-events', 'delete-queue'] as const
const idOfNothing = 2_147_483_646

export const checks: readonly Check[] = (collected as readonly OwnList[]).flatMap((noun) => [
  kept(noun),
  notTheirs(noun),
  ...(noun.refused ? [refused(noun)] : []),
])

/** The ids of its checks begin with it. */
export function checksOf({ list }: OwnList): string {
  return list.replaceAll('_', '-')
}

/** One's own rows of a noun, and what one hears of them. */
class Keeper {
  readonly #noun: OwnList
  readonly #t: CheckContext
  readonly #user: Account

  constructor(noun: OwnList, t: CheckContext, user: Account) {
    this.#noun = noun
    this.#t = t
    this.#user = user
  }

  /** Fields of one that no other check takes for its own. */
  given(): Values {
    return { ...this.#noun.given, [this.#noun.mark]: this.#t.unique('kept').slice(-40) }
  }

  make(fields: Values): Promise<Exchange> {
    return this.#user.must(operationsOf(this.#noun).make, makeRequest(this.#noun, fields))
  }

  change(id: Json, fields: Values): Promise<Exchange> {
    return this.#user.call(operationsOf(this.#noun).change, changeRequest(this.#noun, id, fields))
  }

  remove(id: Json): Promise<Exchange> {
    return this.#user.must(operationsOf(this.#noun).remove, { [`${this.#noun.item}_id`]: id })
  }

  async all(): Promise<{ readonly exchange: Exchange; readonly rows: readonly Json[] }> {
    const exchange = await this.#user.must(operationsOf(this.#noun).all)
    return { exchange, rows: rowsIn(this.#noun, exchange.body).toSorted((a, b) => a.id - b.id) }
  }

  /** Holds the next event, the list and a registration against `wanted`, whose missing times are those of `answer`. */
  async tells(
    queue: EventQueue,
    op: 'add' | 'update',
    requirement: string,
    wanted: Values,
    answer: Exchange,
  ): Promise<Json> {
    const [t, noun] = [this.#t, this.#noun]
    const { event, exchange: told, lacked } = await queue.until({ type: noun.list, op })
    const silence = ruleOf(noun, op === 'add' ? 'added' : 'updated')
    if (!t.that(silence, told, event !== undefined, `a ${noun.list} event; but ${lacked}`)) return undefined
    const listed = await this.all()
    const registered = await this.#user.must('register-queue', {
      event_types: [noun.list],
      fetch_event_types: [noun.list],
    })
    await this.#user.call('delete-queue', { queue_id: registered.body.queue_id })
    for (const [seen, rows] of [
      [told, rowsIn(noun, event)],
      [listed.exchange, listed.rows],
      [registered, rowsIn(noun, registered.body)],
    ] as const) {
      const row = rows.find(({ id }) => id === wanted.id)
      const isSame = row !== undefined && noun.times.every((time) => time in wanted || isNow(row[time], answer))
      const fields = row && Object.fromEntries(Object.entries(row).filter(([name]) => name in wanted))
      t.that(
        requirement,
        seen,
        isDeepStrictEqual(fields, wanted),
        `the ${wordsOf(noun.item)} ${JSON.stringify(wanted)}`,
      )
      const names = [...new Set(['id', ...Object.keys(noun.given), ...noun.times])].toSorted()
      const areAll =
        Object.keys(row ?? {})
          .toSorted()
          .join() === names.join()
      t.that(
        ruleOf(noun, 'shape'),
        seen,
        isSame && areAll,
        `${names.join(', ')}, with times of now unless they are given`,
      )
    }
    return listed.rows.find(({ id }) => id === wanted.id)
  }
}

function kept(noun: OwnList): Check {
  const { list, item, times, area } = noun
  const operations = operationsOf(noun)
  const { unknown: _, code: __, ...ofOwn } = noun.rules
  const words = wordsOf(item)
  return {
    area,
    profile: 'events',
    id: `${checksOf(noun)}/kept`,
    title: `a ${words} is kept, changed and deleted, as its owner’s clients are told`,
    requirements: [...new Set(['CONTRACT-EFFECT', ...noun.changes.map(([id]) => id), ...Object.values(ofOwn)])],
    shows: Object.values(operations),
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
      const next = madeId(noun, (await own.make(given)).body)
      await queue.until({ type: list, op: 'add' })
      const beside = await rowOf(own, next)
      for (const [requirement, change] of noun.changes) {
        const fields = typeof change === 'function' ? change(scene) : change
        const kept = Object.fromEntries(times.map((name) => [name, row?.[name]]))
        wanted = noun.replaces ? { id, ...noun.given, ...fields } : { ...wanted, ...kept, ...fields }
        const changed = await own.change(id, fields)
        if (!t.that(ruleOf(noun, 'changes'), changed, !isRefused(changed), 'a success: it is the caller’s')) return
        t.that(ruleOf(noun, 'bare'), changed, isBareSuccess(changed), '`result` and `msg` alone')
        row = await own.tells(queue, 'update', requirement, wanted, changed)
        const { exchange, rows } = await own.all()
        const isBeside = isDeepStrictEqual(
          rows.find((one) => one.id === next),
          beside,
        )
        t.that('CONTRACT-EFFECT', exchange, isBeside, `${words} ${next} as before`)
      }
      if (!noun.replaces) {
        const unchanged = await own.change(id, {})
        t.that(ruleOf(noun, 'unchanged'), unchanged, !isRefused(unchanged), 'a success: nothing is to be changed')
        const { exchange, rows } = await own.all()
        const isSame = isDeepStrictEqual(
          rows.find((one) => one.id === id),
          row,
        )
        t.that(ruleOf(noun, 'unchanged'), exchange, isSame, `still ${JSON.stringify(row)}`)
      }
      for (const one of [id, next]) {
        await own.remove(one)
        const told = await queue.until({ type: list, op: 'remove' })
        const isTold = t.that(ruleOf(noun, 'gone'), told.exchange, !!told.event, `a ${list} event; but ${told.lacked}`)
        if (!isTold) return
        // Of a change that changes nothing other servers may tell.
        const isAlone = !t.isParley || told.events.length === 1
        t.that('CONTRACT-EFFECT', told.exchange, isAlone, `of ${list} nothing before that ${one} went`)
        t.that(ruleOf(noun, 'removed'), told.exchange, told.event?.[`${item}_id`] === one, `\`${item}_id\` is ${one}`)
        const { exchange, rows } = await own.all()
        const isGone = rows.every((left) => left.id !== one)
        t.that(ruleOf(noun, 'gone'), exchange, isGone, `no ${words} ${one}`)
        const isLeft = one === next || rows.some((left) => left.id === next)
        t.that('CONTRACT-EFFECT', exchange, isLeft, `${words} ${next} is left`)
      }
      await queue.close()
    },
  }
}

async function rowOf(own: Keeper, id: Json): Promise<Json> {
  return (await own.all()).rows.find((one) => one.id === id)
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
      ...new Set([ruleOf(noun, 'unknown'), noun.rules.code ?? 'ERR-HTTP-1', 'ERR-HTTP-1', 'CONTRACT-EFFECT']),
    ],
    operations: [...Object.values(operations), ...queueOperations],
    async run(t) {
      const { user, other } = await t.scene()
      const [own, others] = [new Keeper(noun, t, user), new Keeper(noun, t, other)]
      const only = { event_types: [list], fetch_event_types: [list] }
      const [queue, foreign] = [await EventQueue.open(user, only), await EventQueue.open(other, only)]
      const id = madeId(noun, (await own.make(own.given())).body)
      await queue.until({ type: list }) // that of the caller is told, and only then that of somebody else
      const before = await rowOf(own, id)
      for (const refused of [
        await own.change(idOfNothing, noun.given),
        await others.change(id, noun.given),
        await user.call(operations.remove, { [`${item}_id`]: idOfNothing }),
        await other.call(operations.remove, { [`${item}_id`]: id }),
      ]) {
        const isSaid = refused.body?.msg === noun.unknown || !t.isParley
        t.that(ruleOf(noun, 'unknown'), refused, isRefused(refused) && isSaid, `a refusal, "${noun.unknown}" of Parley`)
        const { code } = noun.rules
        if (code) t.that(code, refused, refused.body?.code === 'BAD_REQUEST', '`code` is "BAD_REQUEST"')
        t.that('ERR-HTTP-1', refused, refused.status === 404, 'HTTP status 404')
      }
      const seen = await own.all()
      const isSame = isDeepStrictEqual(
        seen.rows.find((row) => row.id === id),
        before,
      )
      t.that('CONTRACT-EFFECT', seen.exchange, isSame, `the ${words} of user ${user.userId}, as before`)
      const { exchange, rows } = await others.all()
      t.that(
        'CONTRACT-EFFECT',
        exchange,
        rows.every((row) => row.id !== id),
        `nothing of user ${user.userId}`,
      )
      const theirs = madeId(noun, (await others.make(own.given())).body)
      const heard = await foreign.until({ type: list })
      const isOwn = rowsIn(noun, heard.event)[0]?.id === theirs
      t.that('CONTRACT-EFFECT', heard.exchange, isOwn, `of a ${words} one’s own alone`)
      await Promise.all([own.remove(id), others.remove(theirs)])
      await Promise.all([queue.close(), foreign.close()])
    },
  }
}

function refused(noun: OwnList): Check {
  const operations = operationsOf(noun)
  return {
    area: noun.area,
    profile: 'core',
    id: `${checksOf(noun)}/refused`,
    title: `a ${wordsOf(noun.item)} that cannot be kept is refused`,
    requirements: [...new Set([...(noun.refused ?? []).map(([id]) => id), 'CONTRACT-EFFECT'])],
    operations: Object.values(operations),
    async run(t) {
      const { user } = await t.scene()
      const own = new Keeper(noun, t, user)
      const id = madeId(noun, (await own.make(own.given())).body)
      const before = (await own.all()).rows
      for (const [requirement, fields, msg] of noun.refused ?? []) {
        for (const answer of [
          await user.call(operations.make, makeRequest(noun, { ...noun.given, ...fields })),
          await own.change(id, fields),
        ]) {
          t.that(requirement, answer, answer.body?.code === 'BAD_REQUEST', '`code` is "BAD_REQUEST"')
          t.that(requirement, answer, !t.isParley || answer.body?.msg === msg, `\`msg\` is "${msg}"`)
        }
      }
      const { exchange, rows } = await own.all()
      t.that('CONTRACT-EFFECT', exchange, isDeepStrictEqual(rows, before), 'those from before')
      await own.remove(id)
    },
  }
}
