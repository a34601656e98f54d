import type { ReadOnlyDatabase } from '../../db/database.ts'
import type { Tx } from '../../db/repositories.ts'
import { BadRequestError, WrongPasswordError } from '../../domain/errors.ts'
import { MIN_PASSWORD_LENGTH } from '../../domain/limits.ts'
import type { OrganizationState } from '../../domain/organization/organization-state.ts'
import { hostOf, type Site } from '../../domain/organization/server-settings.ts'
import { rolesShown } from '../../domain/users/email-visibility.ts'
import { checkEmail } from '../../domain/users/emails.ts'
import { hasRole } from '../../domain/users/roles.ts'
import { checkUserSettings, USER_SETTING_NAMES, type UserSettings } from '../../domain/users/user-settings.ts'
import type { Input } from '../../generated/operations.ts'
import { type Actor, presentActor } from '../../permissions/actor.ts'
import type { Write } from '../../permissions/write.ts'
import { hashPassword, isPassword, type Secrets } from '../../secrets/secrets.ts'
import { changeSettingsOfOthers, refuseForOthers } from './change-settings-of-others.ts'
import { changeEmail, renameUser } from './change-user.ts'
import { replaceKey } from './replace-key.ts'
import { storeSettings } from './store-settings.ts'

export interface SettingsServices {
  readonly db: ReadOnlyDatabase
  readonly write: Write
  readonly secrets: Secrets
  readonly site: Site
}

/** PATCH /settings under each of its names: all changes or none. */
export async function changeSettings(
  { db, write, secrets, site }: SettingsServices,
  caller: Actor,
  input: Input<'update-settings'>,
): Promise<void> {
  const settings = checkUserSettings(settingsOf(input))
  const { target_users: target } = input
  if (target !== undefined) {
    await write(async (tx, user) => {
      refuseForOthers(user, input)
      await changeSettingsOfOthers(tx, user, target, settings, hostOf(site))
    })
    return
  }
  const { full_name: name, email } = input
  const password = await newPassword(db, caller, input)
  await write(async (tx, user) => {
    refuseWhatIsDisabled(user, tx.organization, { name, email })
    if (password !== undefined) await replacePassword(tx, user, password, secrets)
    if (name !== undefined) await renameUser(tx, user, name)
    const host = hostOf(site)
    const changeAddress = async () => {
      if (!isOther(email, user.email)) return
      await changeEmail(tx, await presentActor(tx, user.id), checkEmail(email), host)
    }
    // Users who see only one of the two addresses are told only of that one.
    const wanted = settings.email_address_visibility ?? user.emailVisibility
    const hides = rolesShown(wanted).length < rolesShown(user.emailVisibility).length
    if (!hides) await changeAddress()
    await storeSettings(tx, await presentActor(tx, user.id), settings, { by: 'themselves', host })
    if (hides) await changeAddress()
  })
}

/** Blank and unchanged values change nothing. */
function isOther(wanted: string | undefined, present: string): wanted is string {
  return wanted !== undefined && wanted.trim() !== '' && wanted.trim() !== present
}

function settingsOf(input: Input<'update-settings'>): Partial<UserSettings> {
  return Object.fromEntries(
    USER_SETTING_NAMES.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  )
}

function refuseWhatIsDisabled(
  actor: Actor,
  { settings }: OrganizationState,
  { name, email }: { readonly name: string | undefined; readonly email: string | undefined },
): void {
  if (hasRole(actor.role, 'administrator')) return
  if (settings.name_changes_disabled && name !== undefined && name.trim() !== actor.fullName) {
    throw new BadRequestError('Name changes are disabled in this organization.')
  }
  if (settings.email_changes_disabled && isOther(email, actor.email)) {
    throw new BadRequestError('Email address changes are disabled in this organization.')
  }
}

interface NewPassword {
  /** The hash against which the old password was verified. */
  readonly formerHash: string | null
  readonly hash: string
}

async function newPassword(
  db: ReadOnlyDatabase,
  actor: Actor,
  { old_password: oldPassword = '', new_password: wanted }: Input<'update-settings'>,
): Promise<NewPassword | undefined> {
  if (wanted === undefined || wanted === '') return undefined
  const formerHash = (await db.read.credentials.byEmail(actor.email))?.passwordHash ?? null
  if (!(await isPassword(oldPassword, formerHash))) throw new WrongPasswordError()
  if (wanted.length < MIN_PASSWORD_LENGTH) throw new BadRequestError('New password is too weak!')
  return { formerHash, hash: await hashPassword(wanted) }
}

/**
 * The key is replaced with the password, because a user who changes a stolen password wants the thief logged out.
 *
 * @throws {WrongPasswordError} if the password was changed after the old one was verified
 */
async function replacePassword(
  tx: Tx,
  user: Actor,
  { formerHash, hash }: NewPassword,
  secrets: Secrets,
): Promise<void> {
  const present = await tx.credentials.byEmail(user.email)
  if (present?.passwordHash !== formerHash) throw new WrongPasswordError()
  await tx.users.update(user.id, { passwordHash: hash })
  await replaceKey(tx, user, secrets)
}
