import type { OwnRows } from '../db/own-rows.ts'
import type { Tx } from '../db/repositories.ts'
import { BadRequestError, NoSuchItemError } from '../domain/errors.ts'
import type { LogEvent } from '../domain/events/log-event.ts'
import type { UserId } from '../domain/ids.ts'
import { announceToSelf } from './announce-to-self.ts'

/** A noun whose rows belong to one user and are announced only to that user's own clients. */
export interface OwnNoun<Row extends { readonly id: number }> {
  /** Plural for error messages. */
  readonly what: string
  rows(tx: Tx): OwnRows<Row>
  /** Limits of one account: number of rows, and UTF-8 bytes of all their texts. */
  readonly most: { readonly count: number; readonly bytes: number }
  /** Error text if the caller has no such row. */
  readonly unknown: string
  added(rows: readonly Row[]): LogEvent[]
  updated(row: Row): LogEvent
  removed(id: number): LogEvent
}

/** @throws {BadRequestError} if the account would exceed its limits */
export async function addOwnRows<Row extends { readonly id: number }>(
  tx: Tx,
  userId: UserId,
  noun: OwnNoun<Row>,
  rows: readonly Omit<Row, 'id'>[],
): Promise<Row[]> {
  const made = await noun.rows(tx).insert(userId, rows)
  await refuseTooMuch(tx, userId, noun)
  for (const event of noun.added(made)) announceToSelf(tx, userId, event)
  return made
}

/** Same as above for one row. */
export async function addOwnRow<Row extends { readonly id: number }>(
  tx: Tx,
  userId: UserId,
  noun: OwnNoun<Row>,
  row: Omit<Row, 'id'>,
): Promise<Row> {
  const [made] = await addOwnRows(tx, userId, noun, [row])
  return made as Row
}

/** @throws {NoSuchItemError} if the user has no such row */
export async function ownRow<Row extends { readonly id: number }>(
  tx: Tx,
  userId: UserId,
  noun: OwnNoun<Row>,
  id: number,
): Promise<Row> {
  return (await noun.rows(tx).get(userId, id)) ?? refuseUnknown(noun)
}

/**
 * @throws {NoSuchItemError} if the user has no row with the ID of `row`
 * @throws {BadRequestError} if the account would exceed its limits
 */
export async function replaceOwn<Row extends { readonly id: number }>(
  tx: Tx,
  userId: UserId,
  noun: OwnNoun<Row>,
  row: Row,
): Promise<void> {
  if (!(await noun.rows(tx).replace(userId, row))) refuseUnknown(noun)
  await refuseTooMuch(tx, userId, noun)
  announceToSelf(tx, userId, noun.updated(row))
}

/** @throws {NoSuchItemError} if the user has no such row */
export async function removeOwn<Row extends { readonly id: number }>(
  tx: Tx,
  userId: UserId,
  noun: OwnNoun<Row>,
  id: number,
): Promise<void> {
  if (!(await noun.rows(tx).delete(userId, id))) refuseUnknown(noun)
  announceToSelf(tx, userId, noun.removed(id))
}

export function refuseUnknown({ unknown }: { readonly unknown: string }): never {
  throw new NoSuchItemError(unknown)
}

/** Call it after the rows are written; an error rolls the transaction back. */
async function refuseTooMuch<Row extends { readonly id: number }>(
  tx: Tx,
  userId: UserId,
  { rows, what, most }: OwnNoun<Row>,
): Promise<void> {
  const { count, bytes } = await rows(tx).room(userId)
  if (count > most.count) throw new BadRequestError(`You have too many ${what} (limit: ${most.count})`)
  if (bytes > most.bytes) throw new BadRequestError(`Your ${what} are too long (limit: ${most.bytes} bytes in all)`)
}
