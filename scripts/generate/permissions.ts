import type { Document, Operation, Permission } from './document.ts'
import { operationsOf } from './document.ts'
import type { SettingTables } from './settings.ts'

/** Roles of accounts, the lowest first. */
export const ROLES: readonly string[] = ['guest', 'member', 'moderator', 'administrator', 'owner']
/** Rights that an account itself can have. */
const ACCOUNT_RIGHTS = ['account.can_create_users', 'account.can_change_user_emails']
/** Tables of settings that name groups, by the prefix of their names. */
export const SETTING_TABLES: Readonly<Record<string, string>> = {
  '': 'organization.settings',
  'channel.': 'channel.settings',
  'user_group.': 'user-group.settings',
}

/** The parts of `own + can_delete_own_message_group`, all of which must hold. */
export function partsOf(alternative: string): string[] {
  return alternative.split(' + ')
}

/**
 * The setting that a part of `by` names, such as `channel.can_send_message_group`; undefined for a role, `own` and an
 * account's right.
 */
export function settingOf(
  part: string,
  tables: SettingTables,
): { of: string; name: string; default: string } | undefined {
  const [, of = '', name = ''] = /^(channel\.|user_group\.|)(\w+)$/.exec(part) ?? []
  const setting = tables[SETTING_TABLES[of] ?? '']?.[name]
  return setting && { of, name, default: String(setting['x-setting'].default) }
}

/** One sentence for each problem with `x-permissions`. */
export function permissionProblems({ document, settings }: { document: Document; settings: SettingTables }): string[] {
  return operationsOf(document).flatMap(({ operation }) =>
    (operation['x-permissions'] ?? []).flatMap((permission, index) =>
      problemsOf(operation, permission, index, settings).map(
        (one) => `${operation.operationId}: x-permissions: ${one}`,
      ),
    ),
  )
}

function problemsOf(operation: Operation, permission: Permission, index: number, tables: SettingTables): string[] {
  const { act, when = {}, least, by = [], otherwise } = permission
  const codes = new Set(['BAD_REQUEST', ...(operation['x-error-codes'] ?? [])])
  const parts = by.flatMap(partsOf)
  const isKnown = (part: string): boolean =>
    part === 'own' || ROLES.includes(part) || ACCOUNT_RIGHTS.includes(part) || settingOf(part, tables) !== undefined
  return [
    ...(act === undefined && index > 0 ? ['only the first is about the operation itself, and names no act'] : []),
    ...parts.filter((part) => !isKnown(part)).map((part) => `there is no ${part}`),
    ...(least === undefined || ROLES.includes(least) ? [] : [`least is no role: ${least}`]),
    ...(permission.by === undefined && least === undefined ? ['says nothing about who may'] : []),
    ...(otherwise === undefined || codes.has(otherwise) ? [] : [`x-error-codes lacks ${otherwise}`]),
    ...Object.keys(when)
      .filter((name) => tables['organization.settings']?.[name] === undefined)
      .map((name) => `the organization has no setting ${name}`),
  ]
}
