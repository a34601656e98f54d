import { newUserGroup } from '../acts/user-groups.ts'
import type { Account } from '../deployment/account.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import type { Exchange } from '../wire/http.ts'
import { isObject, isRefused, isSetOf, type Json, listOf } from '../wire/values.ts'
import { ownOf } from './subscriptions.ts'

const rule = 'CONTRACT-PERMITTED'
const permissionName =
  /^can_\w+_groups?$|^(create_multiuse_invite|direct_message_(initiator|permission)|workplace_users)_group$/
/** System groups that some settings refuse, and the field that says so. */
const special = {
  'role:everyone': 'allow_everyone_group',
  'role:internet': 'allow_internet_group',
  'role:nobody': 'allow_nobody_group',
} as const

export const checks: readonly Check[] = [
  {
    area: 'Group-setting value, topic entry, attachment',
    id: 'permission-settings/described',
    title: 'permission settings have the values, and accept the groups, that the server describes',
    requirements: [rule],
    run: described,
  },
]

async function described(t: CheckContext): Promise<void> {
  if (t.level < 333) t.leaveOut('before level 333 channels do not have most of these settings')
  const user = t.person('administrator')
  const channel = await t.channel(user)
  const named = { name: t.unique('permitted').slice(-90), description: '', members: [user.userId] }
  const groupId = await newUserGroup(user, named)
  const state = await user.must('register-queue', { event_types: ['realm', 'realm_user_groups', 'subscription'] })
  const { server_supported_permission_settings: settings, realm_user_groups: groups } = state.body
  const isWhole = ['realm', 'stream', 'group'].every((name) => isObject(settings?.[name]))
  if (!t.that(rule, state, isWhole, '`server_supported_permission_settings` of organization, channels and groups'))
    return
  const group = listOf(groups).find(({ id }) => id === groupId)
  const world: World = { t, user, state, groups: listOf(groups), groupId }
  const ofRealm = Object.fromEntries(
    Object.entries(state.body).flatMap(([name, value]) =>
      name.startsWith('realm_') ? [[name.slice('realm_'.length), value]] : [],
    ),
  )
  hasValues(world, settings.realm, ofRealm)
  hasValues(
    world,
    settings.stream,
    ownOf(state, channel),
    t.level < 427 ? 'stream_creator_or_nobody' : 'channel_creator',
  )
  hasValues(world, settings.group, group, 'group_creator')
  for (const one of world.groups) if (one.is_system_group) hasValuesOfSystem(world, settings.group, one)
  // Each value costs a request.
  if (t.deployment.isLimited) return
  await takes(world, 'update-stream', { stream_id: channel.id }, settings.stream)
  await takes(world, 'update-user-group', { user_group_id: groupId }, settings.group)
}

interface World {
  readonly t: CheckContext
  /** Creator of the channel and the group. */
  readonly user: Account
  readonly state: Exchange
  readonly groups: readonly Json[]
  readonly groupId: number
}

/** Checks default values, or, for the organization, current ones. */
function hasValues({ t, user, state, groups }: World, settings: Json, has: Json, creator?: string): void {
  for (const name of Object.keys(has ?? {}).filter((one) => permissionName.test(one))) {
    t.that(rule, state, name in settings, `\`${name}\` is described`)
  }
  for (const [name, setting] of Object.entries<Json>(settings)) {
    const { default_group_name: byDefault, default_for_system_groups: ofSystem } = setting
    const value = has?.[name]
    const isOfGroups = creator === 'group_creator'
    t.that(rule, state, isOfGroups || ofSystem === null, `\`default_for_system_groups\` of ${name} is null`)
    t.that(rule, state, value !== undefined, `\`${name}\` has a value`)
    const first = groups.find((one) => one.is_system_group && one.name === byDefault)
    const isNamed = first !== undefined || byDefault === creator
    const says = `\`default_group_name\` of ${name} is a system group${creator ? ` or ${creator}` : ''}`
    t.that(rule, state, isNamed, says)
    for (const one of listOf(setting.allowed_system_groups)) {
      const isSystem = groups.some(({ name: other, is_system_group: is }) => is && other === one)
      t.that(rule, state, isSystem, `\`allowed_system_groups\` of ${name} are system groups`)
    }
    const present = groups.find(({ id }) => id === value)
    const isTaken = present === undefined ? !setting.require_system_group : accepts(setting, present)
    t.that(rule, state, isTaken, `\`${name}\` is a group that it takes; but it is ${JSON.stringify(value)}`)
    if (creator === undefined) continue
    const isFirst = first === undefined ? isCreator(value, user.userId) : value === first.id
    t.that(rule, state, isFirst, `\`${name}\` is ${byDefault}, as nobody has changed it`)
  }
}

function isCreator(value: Json, userId: number): boolean {
  return isObject(value) && isSetOf(value.direct_members, [userId]) && isSetOf(value.direct_subgroups, [])
}

function hasValuesOfSystem({ t, state, groups }: World, settings: Json, system: Json): void {
  for (const [name, { default_for_system_groups: wanted }] of Object.entries<Json>(settings)) {
    const has = groups.find(({ id }) => id === system[name])?.name
    t.that(rule, state, has === wanted, `\`${name}\` of ${system.name} is ${wanted}`)
  }
}

function accepts(setting: Json, { name, is_system_group: isSystem }: Json): boolean {
  if (!isSystem) return !setting.require_system_group
  const listed = listOf(setting.allowed_system_groups)
  if (listed.length > 0) return listed.includes(name)
  const field = special[name as keyof typeof special]
  return field === undefined || setting[field] === true
}

/** Tries groups of every kind. Settings that let the user change the others come last, with `nobody` last of all. */
async function takes({ t, user, groups, groupId }: World, operation: string, of: object, settings: Json) {
  const tried = ['role:members', 'role:everyone', 'role:internet', 'role:nobody']
  const systems = tried.flatMap((name) => groups.find((one) => one.is_system_group && one.name === name) ?? [])
  const isOwn = (name: string): boolean => /administer|manage/.test(name)
  const names = Object.keys(settings).toSorted((one, other) => Number(isOwn(one)) - Number(isOwn(other)))
  for (const name of names) {
    const own = { id: groupId, name: 'a group of users', is_system_group: false }
    for (const group of [...(operation === 'update-stream' ? [own] : []), ...systems]) {
      const answer = await user.call(operation, { ...of, [name]: { new: group.id } })
      const isWanted = accepts(settings[name], group)
      const says = `${isWanted ? 'success' : 'a refusal'}: \`${name}\` ${isWanted ? 'takes' : 'does not take'} ${group.name}`
      t.that(rule, answer, isWanted ? answer.status === 200 : isRefused(answer), says)
    }
  }
}
