import { type Document, type Operation, operationsOf, type Permission } from '../generate/document.ts'
import { partsOf, settingOf } from '../generate/permissions.ts'
import type { SettingTables } from '../generate/settings.ts'
import { withoutTesting } from '../generate/testing-paths.ts'

/**
 * Columns of the matrix. `bot` and `webhook` (a bot that only sends) are bots with the role of a member. `own` is a
 * member who owns the item, or has the account right in question.
 */
export const CALLERS = [
  'nobody',
  'guest',
  'member',
  'moderator',
  'administrator',
  'owner',
  'bot',
  'webhook',
  'deactivated',
  'own',
] as const
export type Caller = (typeof CALLERS)[number]

/** The answer to a caller: status 200, or the code of a refusal. */
export interface Cell {
  readonly status: number
  readonly code?: string
  /** Message of refusals that are the same for everybody. */
  readonly msg?: string
}

/** An operation, or one act of it. */
export interface Row {
  readonly operationId: string
  readonly tag: string
  readonly permission: Permission
  /** Without `own` if ownership does not matter. */
  readonly cells: ReadonlyMap<Caller, Cell>
}

const RANK: Readonly<Record<string, number>> = {
  guest: 1,
  member: 2,
  moderator: 3,
  administrator: 4,
  owner: 5,
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 2,
  'role:moderators': 3,
  'role:administrators': 4,
  'role:owners': 5,
  'role:nobody': Number.POSITIVE_INFINITY,
}

const SUCCESS: Cell = { status: 200 }
const FOR_NOBODY: Partial<Record<Caller, Cell>> = {
  nobody: { status: 401, code: 'UNAUTHORIZED' },
  deactivated: { status: 401, code: 'USER_DEACTIVATED' },
}

/** The contract's rule for every caller, for every operation and its acts, in an organization with default settings. */
export function matrixOf({ document, settings }: { document: Document; settings: SettingTables }): Row[] {
  return operationsOf(withoutTesting(document)).flatMap(({ operation }) => {
    const all = operation['x-permissions'] ?? []
    const permissions = all[0] === undefined || all[0].act !== undefined ? [{}, ...all] : all
    return permissions.map((permission) => rowOf(operation, permission, settings))
  })
}

function rowOf(operation: Operation, permission: Permission, settings: SettingTables): Row {
  const { operationId, tags: [tag = ''] = [] } = operation
  const cells = CALLERS.flatMap((caller): [Caller, Cell][] => {
    if (caller === 'own' && !dependsOnOwn(permission, settings)) return []
    return [[caller, cellOf(operation, permission, caller, settings)]]
  })
  return { operationId, tag, permission, cells: new Map(cells) }
}

/** Includes acts that even the owner of an item may not do. */
function dependsOnOwn({ by }: Permission, settings: SettingTables): boolean {
  return by?.length === 0 || (by ?? []).flatMap(partsOf).some((part) => isOwnBusiness(part, settings))
}

/**
 * Whether a part of `by` depends on the person and not on the role: `own`, an account's right, and settings that name
 * the creator.
 */
function isOwnBusiness(part: string, settings: SettingTables): boolean {
  return (
    part === 'own' || part.startsWith('account.') || settingOf(part, settings)?.default.endsWith('_creator') === true
  )
}

function cellOf(operation: Operation, permission: Permission, caller: Caller, settings: SettingTables): Cell {
  const { 'x-minimum-role': least = 'guest' } = operation
  if (least === 'anonymous') return SUCCESS
  const isBot = caller === 'bot' || caller === 'webhook'
  if (isBot && operation['x-humans-only']) {
    return { status: 400, code: 'BAD_REQUEST', msg: 'This endpoint does not accept bot requests.' }
  }
  if (caller === 'webhook' && !operation['x-for-incoming-webhooks']) {
    return { status: 400, code: 'BAD_REQUEST', msg: 'This API is not available to incoming webhook bots.' }
  }
  const refusal = FOR_NOBODY[caller]
  if (refusal) return refusal
  const role = isBot ? 'member' : caller
  for (const needed of [least, permission.least ?? 'guest']) {
    if (role === 'own' || rankOf(role) >= rankOf(needed)) continue
    if (needed === 'member') return { status: 400, code: 'BAD_REQUEST', msg: 'Not allowed for guest users' }
    return { status: 400, code: 'UNAUTHORIZED_PRINCIPAL', msg: `Must be an organization ${needed}` }
  }
  const { by, otherwise = 'BAD_REQUEST' } = permission
  if (by?.some((one) => partsOf(one).every((part) => holds(part, role, settings))) ?? true) return SUCCESS
  const [code = '', status = '400'] = otherwise.split(' ')
  return { status: Number(status), code }
}

function holds(part: string, role: string, settings: SettingTables): boolean {
  if (role === 'own' && isOwnBusiness(part, settings)) return true
  const setting = settingOf(part, settings)
  const needed = setting ? setting.default : part
  return (RANK[needed] ?? Number.POSITIVE_INFINITY) <= rankOf(role === 'own' ? 'member' : role)
}

function rankOf(role: string): number {
  return RANK[role] ?? 0
}
