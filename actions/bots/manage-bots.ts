import type { Readers, Tx } from '../../db/repositories.ts'
import { BadRequestError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { MAX_BOTS_OF_OWNER } from '../../domain/limits.ts'
import { checkFullName } from '../../domain/text/names.ts'
import { isAscii } from '../../domain/text/text-keys.ts'
import { ORGANIZATION_GROUP_SETTINGS } from '../../domain/user-groups/group-settings.ts'
import { isEmail } from '../../domain/users/emails.ts'
import { isGuest, ROLE, type Role } from '../../domain/users/roles.ts'
import type { BotType, User } from '../../domain/users/user.ts'
import type { Actor } from '../../permissions/actor.ts'
import { newApiKey, type Secrets } from '../../secrets/secrets.ts'
import { changeEmail, refuseTakenName, setRole } from '../users/change-user.ts'
import { createUser } from '../users/create-user.ts'
import { replaceKey } from '../users/replace-key.ts'
import { announceToManagers, announceToOwners } from './announce-bot.ts'

const TYPE = { generic: 1, incomingWebhook: 2 } as const satisfies Record<string, BotType>

export interface NewBot {
  readonly fullName: string
  readonly shortName: string
  readonly type: number
  readonly allPublicChannels: boolean
}

/** Initial settings of a new bot. */
export interface BotAccount {
  readonly email: string
  readonly fullName: string
  readonly botType?: BotType
  readonly allPublicChannels?: boolean
}

/** Dependencies for creating a bot. */
export interface BotServices {
  readonly secrets: Secrets
  /** Host part of the addresses of bots. */
  readonly host: string
}

/**
 * Creates a bot of the actor, and announces it.
 *
 * @throws {BadRequestError} if the actor may not create this kind of bot or has too many, or its name or address is
 * taken
 */
export async function createBot(
  tx: Tx,
  owner: Actor,
  { fullName: wantedName, shortName, type, allPublicChannels }: NewBot,
  { secrets, host }: BotServices,
): Promise<{ readonly bot: User; readonly apiKey: string }> {
  const botType = Object.values(TYPE).find((one) => one === type)
  if (botType === undefined) throw new BadRequestError(`Invalid bot_type ${type}: only 1 and 2 are offered here`)
  refuseUnlessMaker(tx, owner, botType)
  const fullName = checkFullName(wantedName)
  const email = botEmail(shortName, host)
  if ((await tx.users.byEmails([email])).length > 0) throw new BadRequestError('Username already in use')
  await refuseMoreBots(tx, owner.id)
  return makeBot(tx, owner, { email, fullName, botType, allPublicChannels }, { secrets, host })
}

/**
 * Same as above, without the permission check.
 *
 * @throws {BadRequestError} if the name or address is taken
 */
export async function makeBot(
  tx: Tx,
  owner: User,
  { email, fullName, botType = TYPE.generic, allPublicChannels = false }: BotAccount,
  { secrets, host }: BotServices,
): Promise<{ readonly bot: User; readonly apiKey: string }> {
  await refuseTakenName(tx, fullName, { isBot: true })
  const apiKey = newApiKey()
  const account = {
    email,
    fullName,
    botType,
    botOwnerId: owner.id,
    role: Math.max(ROLE.member, owner.role) as Role,
    isBot: true,
    canCreateUsers: false,
    dateJoined: tx.organization.now,
    passwordHash: null,
    ...secrets.storedApiKey(apiKey),
  }
  const bot = await createUser(tx, account, host)
  if (allPublicChannels) await tx.bots.setAllPublicChannels(bot.id, true)
  const [managed] = await tx.bots.byIds([bot.id])
  if (managed) await announceToManagers(tx, bot, { type: 'realm_bot', op: 'add', bot: managed })
  return { bot, apiKey }
}

/** @throws {BadRequestError} if no group of the actor may create this kind of bot (level 344) */
function refuseUnlessMaker({ organization }: Tx, actor: Actor, type: BotType): void {
  const { settings } = organization
  const may = (name: 'can_create_bots_group' | 'can_create_write_only_bots_group'): boolean =>
    organization.may(ORGANIZATION_GROUP_SETTINGS[name], settings[name], actor)
  if (may('can_create_bots_group')) return
  if (type === TYPE.incomingWebhook && may('can_create_write_only_bots_group')) return
  throw new BadRequestError('Insufficient permission')
}

function botEmail(shortName: string, host: string): string {
  const email = `${shortName.trim()}-bot@${host}`
  // Python's requests cannot log in with other characters.
  if (shortName.trim() === '' || !isAscii(shortName) || !isEmail(email))
    throw new BadRequestError('Bad name or username')
  return email
}

/** @throws {BadRequestError} */
export async function refuseMoreBots(read: Readers, ownerId: UserId): Promise<void> {
  if ((await read.bots.countOf(ownerId)) >= MAX_BOTS_OF_OWNER) {
    throw new BadRequestError(`An account owns ${MAX_BOTS_OF_OWNER} bots at most`)
  }
}

/** @throws {BadRequestError} */
export async function changeShortName(tx: Tx, bot: User, shortName: string, host: string): Promise<void> {
  const email = botEmail(shortName, host)
  if (email === bot.email) return
  const [other] = await tx.users.byEmails([email])
  if (other && other.id !== bot.id) throw new BadRequestError('Username already in use')
  await changeEmail(tx, bot, email, host)
}

/**
 * Changes the owner of a bot. The bot keeps at most the new owner's role, and gets a new key, because the former owner
 * knows the old one and a bot may send wherever its owner may.
 *
 * @returns the owner
 * @throws {BadRequestError}
 */
export async function changeOwner(tx: Tx, bot: User, ownerId: number, secrets: Secrets): Promise<User> {
  const [owner] = await tx.users.byIds([ownerId as UserId])
  if (!owner) throw new BadRequestError('Failed to change owner, no such user')
  if (owner.isBot) throw new BadRequestError("Failed to change owner, bots can't own other bots")
  if (!owner.isActive) throw new BadRequestError('Failed to change owner, user is deactivated')
  if (isGuest(owner.role)) throw new BadRequestError("Failed to change owner, guests can't own bots")
  if (owner.id === bot.botOwnerId) return owner
  await refuseMoreBots(tx, owner.id)
  await giveTo(tx, bot, owner, secrets)
  return owner
}

/** Same as above, without the checks. */
export async function giveTo(tx: Tx, bot: User, owner: User, secrets: Secrets): Promise<void> {
  await tx.users.update(bot.id, { botOwnerId: owner.id })
  await replaceKey(tx, bot, secrets)
  await announceToOwners(tx, bot, owner.id)
  if (bot.role < owner.role) await setRole(tx, bot, owner.role)
}

export async function changeAllPublicChannels(tx: Tx, bot: User, wanted: boolean): Promise<void> {
  const [managed] = await tx.bots.byIds([bot.id])
  if (managed?.default_all_public_streams === wanted) return
  await tx.bots.setAllPublicChannels(bot.id, wanted)
  const changed = { user_id: bot.id, default_all_public_streams: wanted }
  await announceToManagers(tx, bot, { type: 'realm_bot', op: 'update', bot: changed })
}
