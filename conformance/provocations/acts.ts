import { type Account, operationNamed, type Values } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import type { Exchange } from '../wire/http.ts'
import { canonical, isRefused } from '../wire/values.ts'

/** Something that somebody may not do. */
export interface Act {
  readonly operation: string
  readonly values: Values
  /** Values that replace some of `values` in the same request about something that does not exist. */
  readonly absent?: Values
  /** The answer is a success that tells and changes nothing, for hidden things and for things that do not exist. */
  readonly isPassedOver?: boolean
  /** Other servers refuse hidden things differently from things that do not exist, or ignore one of the two. */
  readonly isToldApart?: boolean
}

/**
 * Each of `people` tries each of `acts`: all are refused, and hidden things get the same answer as things that do not
 * exist.
 */
export async function forbid(t: CheckContext, people: readonly Account[], acts: readonly Act[]): Promise<void> {
  for (const act of acts) {
    const operation = operationNamed(t.deployment.contract, act.operation)
    const isKnown = Object.keys(act.values).every((name) => !operation.notThere.has(name))
    if (!isKnown || t.deployment.notAsked(operation) !== undefined) continue
    await Promise.all(people.map((person) => isForbidden(t, person, act)))
  }
}

async function isForbidden(t: CheckContext, person: Account, act: Act): Promise<void> {
  const answer = await person.call(act.operation, act.values)
  const who = `user ${person.userId}, who is ${person.isBot ? 'a bot' : `of the role ${person.role}`}`
  if (act.isPassedOver !== true) {
    const isDone = isRefused(answer) && answer.status >= 400
    t.that('CONTRACT-FORBIDDEN', answer, isDone, `a refusal of ${act.operation} by ${who}`)
  }
  if (act.absent === undefined) return
  const values = { ...act.values, ...act.absent }
  const absent = await person.call(act.operation, values)
  const [here, there] = [impression(t, answer, act.values, act), impression(t, absent, values, act)]
  const says = `to ${who} the answer for what does not exist: ${there}; but it is ${here}`
  t.that('CONTRACT-HIDDEN', answer, here === there, says)
}

/** Everything that an answer says, without the ids and names that were sent. Other servers' texts are not compared. */
function impression(t: CheckContext, exchange: Exchange, values: Values, { isToldApart }: Act): string {
  const { status, body, text } = exchange
  if (!t.isParley) {
    if (isToldApart || !isRefused(exchange)) return isRefused(exchange) ? 'a refusal' : 'a success'
    return `${status} ${body.code}`
  }
  const sent = leaves(values).toSorted((one, other) => other.length - one.length)
  return `${status} ${sent.reduce((rest, leaf) => rest.replaceAll(leaf, '…'), text)}`
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : []
}

/** The answer to an account that may see the item, and its `content`, which must not change. */
export interface Shown {
  readonly exchange: Exchange
  readonly content: unknown
}

/** Performs `acts`, after which everything must look as before. */
export async function changesNothing(
  t: CheckContext,
  look: () => Promise<readonly Shown[]>,
  acts: () => Promise<void>,
): Promise<void> {
  const before = await look()
  await acts()
  for (const [index, { exchange, content }] of (await look()).entries()) {
    const [was, is] = [canonical(before[index]?.content), canonical(content)]
    const says = `what it was before others were refused: ${was}; but it is ${is}`
    t.that('CONTRACT-FORBIDDEN', exchange, is === was, says)
  }
}
