import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../db/repositories.ts'
import type { Channel } from '../../domain/channels/channel.ts'
import { DAY_SECONDS } from '../../domain/clock.ts'
import { BadRequestError, UnauthorizedPrincipalError, UnsupportedParameterError } from '../../domain/errors.ts'
import type { LogEvent } from '../../domain/events/log-event.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { isLanguage } from '../../domain/languages.ts'
import { MAX_ORGANIZATION_NAME_LENGTH } from '../../domain/limits.ts'
import { renderDescription } from '../../domain/markdown/render.ts'
import { olderForm } from '../../domain/organization/older-settings.ts'
import {
  AUTHENTICATION_METHODS,
  CHANGEABLE_SETTING_NAMES,
  CHANNEL_SETTINGS,
  changedBy,
  changedOrganization,
  isIdle,
  isToldInDict,
  MODERATION_CHANNEL_IS_PRIVATE,
  ORGANIZATION_SETTING_NAMES,
  type Organization,
  type OrganizationChanges,
  type OrganizationSettingName,
  type OrganizationSettings,
  VIDEO_CHAT_PROVIDERS,
} from '../../domain/organization/organization-settings.ts'
import type { OrganizationState } from '../../domain/organization/organization-state.ts'
import { isLongerThan } from '../../domain/text/code-points.ts'
import { NOT_IN_NAMES } from '../../domain/text/names.ts'
import { withoutUser } from '../../domain/user-groups/group-setting-values.ts'
import { isOrganizationGroupSetting, ORGANIZATION_GROUP_SETTINGS } from '../../domain/user-groups/group-settings.ts'
import { SYSTEM_GROUP_ID } from '../../domain/user-groups/system-groups.ts'
import { ROLE } from '../../domain/users/roles.ts'
import type { Input } from '../../generated/operations.ts'
import type { Actor } from '../../permissions/actor.ts'
import { acceptGroupValue, type GroupValueUpdate } from '../user-groups/accept-group-value.ts'
import { announceChannelsOfGroup } from '../user-groups/channels-of-group.ts'

type Wanted = Input<'update-realm'>

/**
 * Changes settings of the organization, and announces each in an event of its own, in the order of the table. Unchanged
 * values are skipped.
 *
 * @returns what has changed
 * @throws {UnauthorizedPrincipalError} if only owners may change a setting, regardless of its value
 */
export async function changeOrganization(tx: Tx, actor: Actor, wanted: Wanted): Promise<OrganizationChanges> {
  const names = CHANGEABLE_SETTING_NAMES.filter((name) => wanted[name] !== undefined)
  const isForOwners = names.some((name) => changedBy(name) === 'owner') || wanted.authentication_methods !== undefined
  if (isForOwners && actor.role !== ROLE.owner) throw new UnauthorizedPrincipalError('owner')
  refuseOtherLogIns(wanted.authentication_methods ?? {})
  const { organization } = tx
  const changes: OrganizationChanges = changedTexts(organization, wanted)
  for (const name of names) {
    const value = await accepted(tx, name, wanted)
    if (isDeepStrictEqual(value, organization.settings[name])) continue
    if (isIdle(name)) throw new UnsupportedParameterError(name)
    Object.assign(changes, { [name]: value })
  }
  await channelOf(tx, changes.new_stream_announcements_stream_id)
  if ((await channelOf(tx, changes.moderation_request_channel_id))?.inviteOnly === false) {
    throw new BadRequestError(MODERATION_CHANNEL_IS_PRIVATE)
  }
  refuseImpossible(changedOrganization(organization, changes).settings, changes)
  await storeOrganizationChanges(tx, changes)
  return changes
}

/**
 * There is only one log-in method, so it cannot be changed. @throws {BadRequestError} for any other method, and for
 * none
 */
function refuseOtherLogIns(methods: Readonly<Record<string, boolean>>): void {
  const known = Object.keys(AUTHENTICATION_METHODS)
  const unknown = Object.keys(methods).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new BadRequestError(`Invalid authentication method: ${unknown}. Valid methods are: ${known.join(', ')}`)
  }
  if (known.every((name) => methods[name] === false)) {
    throw new BadRequestError('At least one authentication method must be enabled.')
  }
}

function changedTexts(
  organization: Organization,
  wanted: Pick<Wanted, 'name' | 'description'>,
): Pick<OrganizationChanges, 'name' | 'description'> {
  const [name, description] = [wanted.name?.trim(), wanted.description]
  if (name !== undefined && NOT_IN_NAMES.test(name)) throw new BadRequestError('Invalid characters in name!')
  return {
    ...(name !== undefined && name !== organization.name && { name }),
    ...(description !== undefined && description !== organization.description && { description }),
  }
}

async function accepted(tx: Tx, name: OrganizationSettingName, wanted: Wanted): Promise<unknown> {
  const value = wanted[name as keyof Wanted]
  if (!isOrganizationGroupSetting(name)) return value === 'unlimited' ? unlimitedOf(name) : value
  const present = tx.organization.settings[name]
  return acceptGroupValue(tx, name, ORGANIZATION_GROUP_SETTINGS[name], present, value as GroupValueUpdate)
}

/** Clients send "no limit" as a word. */
function unlimitedOf(name: string): unknown {
  if (name === 'message_retention_days') return -1
  return name.endsWith('_limit_seconds') ? null : 'unlimited'
}

/** Checks rules that the contract cannot express. @throws {BadRequestError} naming the setting */
function refuseImpossible(settings: OrganizationSettings, changes: OrganizationChanges): void {
  const { default_language: language, gif_rating_policy: rating } = changes
  if (language !== undefined && !isLanguage(language)) throw new BadRequestError(`Invalid language '${language}'`)
  if (changes.message_retention_days === 0) throw new BadRequestError('Invalid message_retention_days 0')
  // Animated pictures are not supported.
  if (rating !== undefined) throw new BadRequestError(`Invalid gif_rating_policy ${rating}`)
  const { video_chat_provider: provider, jitsi_server_url: jitsi } = settings
  const { disabled, jitsi_meet } = VIDEO_CHAT_PROVIDERS
  if (provider !== disabled.id && !(provider === jitsi_meet.id && jitsi !== null)) {
    throw new BadRequestError(`Invalid video_chat_provider ${provider}`)
  }
}

/** Renames the organization without a permission check. @throws {BadRequestError} if the name cannot be shown */
export async function renameOrganization(tx: Tx, name: string): Promise<void> {
  if (isLongerThan(name, MAX_ORGANIZATION_NAME_LENGTH)) throw new BadRequestError('Name too long!')
  await storeOrganizationChanges(tx, changedTexts(tx.organization, { name }))
}

/** @throws {BadRequestError} if the channel does not exist, or takes no messages */
async function channelOf(tx: Tx, id: number | undefined): Promise<Channel | undefined> {
  if (id === undefined || id === -1) return undefined
  const channel = await tx.channels.byId(id as ChannelId)
  if (!channel || channel.isArchived) throw new BadRequestError('Invalid channel ID')
  return channel
}

/** An archived channel takes no messages, so no setting may name it. */
export async function removeChannelFromSettings(tx: Tx, channelId: ChannelId): Promise<void> {
  const { settings } = tx.organization
  const left = CHANNEL_SETTINGS.filter((name) => settings[name] === channelId)
  await storeOrganizationChanges(tx, Object.fromEntries(left.map((name) => [name, -1])))
}

/**
 * Removes a deactivated account from all settings that name it (STATE-USER-2). A setting that would name nobody, but
 * does not allow that, returns to its default.
 */
export async function removeUserFromSettings(tx: Tx, userId: UserId): Promise<void> {
  const { settings } = tx.organization
  const left = ORGANIZATION_SETTING_NAMES.flatMap((name) => {
    if (!isOrganizationGroupSetting(name)) return []
    const value = withoutUser(settings[name], userId)
    if (value === undefined) return []
    const { allowsNobody, default: otherwise } = ORGANIZATION_GROUP_SETTINGS[name]
    const isRefused = value === SYSTEM_GROUP_ID['role:nobody'] && !allowsNobody
    return [[name, isRefused ? SYSTEM_GROUP_ID[otherwise] : value] as const]
  })
  await storeOrganizationChanges(tx, Object.fromEntries(left))
}

/** Stores changes of settings, and announces them. */
export async function storeOrganizationChanges(tx: Tx, changes: OrganizationChanges): Promise<void> {
  const entries = Object.entries(changes)
  if (entries.length === 0) return
  const before = tx.organization
  await tx.organizations.update(changes)
  const after = changedOrganization(before, changes).settings
  for (const [name, value] of entries) tx.events.append(changeEvent(name, value, after), { to: 'everyone' })
  await announceFullMembers(tx, before, after.waiting_period_threshold)
}

function changeEvent(property: string, value: unknown, after: OrganizationSettings): LogEvent {
  const inDict = (data: object): LogEvent => ({ type: 'realm', op: 'update_dict', property: 'default', data })
  if (property === 'description') {
    const description = String(value)
    return inDict({ description, rendered_description: renderDescription(description) })
  }
  const name = property as OrganizationSettingName
  if (isToldInDict(name)) return inDict({ [name]: value, ...olderForm(name, after) })
  return { type: 'realm', op: 'update', property, value: value as string | number | boolean | null }
}

/** Announces who became a full member, or is no longer one, after a change of the waiting period. */
async function announceFullMembers(tx: Tx, before: OrganizationState, days: number): Promise<void> {
  const fewerDays = before.settings.waiting_period_threshold - days
  if (fewerDays === 0) return
  const former = before.waitingPeriodStart
  const present = former + fewerDays * DAY_SECONDS
  const user_ids = await tx.users.membersJoinedBetween(Math.min(former, present), Math.max(former, present))
  if (user_ids.length === 0) return
  const op = fewerDays > 0 ? 'add_members' : 'remove_members'
  const group_id = SYSTEM_GROUP_ID['role:fullmembers']
  tx.events.append({ type: 'user_group', op, group_id, user_ids }, { to: 'everyone' })
  await announceChannelsOfGroup(tx, before, { groupId: group_id, userIds: user_ids })
}
