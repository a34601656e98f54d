import fc from 'fast-check'
import type { Account, Values } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { ourKind, some } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
import { type Json, listOf } from '../wire/values.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'create-user-group': ({ user }, t) => newGroup(user, t),
  'update-user-group-members': async ({ user, other }, t) => {
    // Nobody is in it yet, so this also works if both are the same account.
    return { ...(await madeGroup(user, t, { members: [] })), add: [other.userId] }
  },
  'update-user-group': async ({ user }, t) => ({ ...(await madeGroup(user, t)), description: 'Changed by the suite.' }),
  'deactivate-user-group': ({ user }, t) => madeGroup(user, t),
  'get-user-group-members': ({ user }, t) => madeGroup(user, t),
  'get-is-user-group-member': async ({ user, other }, t) => ({ ...(await madeGroup(user, t)), user_id: other.userId }),
  'get-user-group-subgroups': ({ user }, t) => madeGroup(user, t),
  'update-user-group-subgroups': async ({ user }, t) => {
    const { user_group_id: inner } = await madeGroup(user, t)
    return { ...(await madeGroup(user, t)), add: [inner] }
  },
}

async function madeGroup(user: Account, t: CheckContext, wishes: Values = {}) {
  return { user_group_id: await newUserGroup(user, { ...newGroup(user, t), ...wishes }) }
}

/** Creates a group. @returns its id, which only the list contains before level 317 */
export async function newUserGroup(user: Account, values: Values): Promise<number> {
  const made = await user.must('create-user-group', values)
  if (made.body.group_id !== undefined) return made.body.group_id
  const listed = await user.must('get-user-groups')
  return listOf(listed.body.user_groups).find((one: Json) => one.name === values.name)?.id
}

function newGroup(user: Account, t: CheckContext): Values {
  return { name: t.unique(user.fullName).slice(-90), description: 'For the suite.', members: [user.userId] }
}

/** An active group that the world created, with its accepted changes. */
interface Group {
  readonly id: number
  readonly members: Set<number>
  readonly subgroupIds: Set<number>
}
export function groupsIn(world: World): Group[] {
  return world.kept<Group>('groups')
}

/** Deactivated groups that the world created. */
function formerGroups(world: World): Group[] {
  return world.kept<Group>('groups out of use')
}

interface CreateGroup {
  readonly by: number | undefined
  readonly members: readonly number[]
  readonly subgroups: readonly number[]
  /** An account that the world created, if any, named by a setting of the group. */
  readonly named: number
}

/** A group that the owner, the first person of a world, can always create. */
const plain: CreateGroup = { by: 0, members: [3, 4], subgroups: [], named: 9 }

/** A group that follows from roles. */
const systemGroup = 5

export const actions = [
  ourKind(
    'create group',
    ({ manager, who }) => ({
      by: manager,
      members: fc.uniqueArray(who, { maxLength: 7 }),
      subgroups: fc.array(fc.nat({ max: 3 }), { maxLength: 2 }),
      named: fc.nat({ max: 2 }),
    }),
    createGroup,
    { weight: 4 },
  ),
  ourKind(
    'change members',
    ({ manager, who }) => ({ by: manager, group: fc.nat({ max: 3 }), isAddition: fc.boolean(), member: who }),
    async (world, { by, group, isAddition, member }) => {
      const groups = [...(await twoGroups(world)), ...formerGroups(world)]
      const made = groups[group % groups.length] as Group
      const values = { user_group_id: made.id, [isAddition ? 'add' : 'delete']: world.named([member]) }
      const answer = await world.manager(by)?.call('update-user-group-members', values)
      if (answer?.status === 200) made.members[isAddition ? 'add' : 'delete'](member)
      return answer
    },
    { weight: 3 },
  ),
  ourKind(
    'change subgroups',
    ({ manager }) => ({
      by: manager,
      group: fc.nat({ max: 3 }),
      isAddition: fc.boolean(),
      subgroup: fc.nat({ max: 3 }),
    }),
    async (world, { by, group, isAddition, subgroup }) => {
      const groups = await twoGroups(world)
      const place = group % groups.length
      const made = groups[place] as Group
      // Only groups created earlier, so that few requests are refused because of a cycle.
      const inner = [systemGroup, ...groups.slice(0, place).map(({ id }) => id)]
      const added = inner[subgroup % inner.length] as number
      if (isAddition) return changeSubgroups(world, by, made, true, added)
      if (groups.every(({ subgroupIds }) => subgroupIds.size === 0)) await changeSubgroups(world, 0, made, true, added)
      const nested = groups.flatMap((one) => [...one.subgroupIds].map((id) => [one, id] as const))
      const [outer, within] = nested[subgroup % nested.length] ?? [made, added]
      return changeSubgroups(world, by, outer, false, within)
    },
    { weight: 3 },
  ),
  ourKind(
    'change group',
    ({ manager, who }) => ({
      by: manager,
      group: fc.nat({ max: 5 }),
      isRenamed: fc.boolean(),
      description: fc.constantFrom('Of a law.', 'Changed.', ''),
      setting: fc.constantFrom('can_join_group', 'can_leave_group', 'can_manage_group', 'can_mention_group'),
      people: fc.uniqueArray(who, { maxLength: 2 }),
      named: fc.nat({ max: 3 }),
    }),
    async (world, { by, group, isRenamed, description, setting, people, named }) => {
      const known = await twoGroups(world)
      const groups = [...known, ...formerGroups(world)]
      const { id } = known[named] ?? { id: systemGroup }
      return world.manager(by)?.call('update-user-group', {
        user_group_id: (groups[group % groups.length] as Group).id,
        name: isRenamed ? world.unique('Group') : undefined,
        description,
        [setting]: { new: { direct_members: world.named(people), direct_subgroups: [id] } },
      })
    },
    { weight: 3 },
  ),
  ourKind(
    'open channel to group',
    ({ manager }) => ({
      by: manager,
      channel: some,
      setting: fc.constantFrom(
        'can_subscribe_group',
        'can_add_subscribers_group',
        'can_administer_channel_group',
        'can_administer_channel_group',
      ),
      group: fc.nat({ max: 3 }),
    }),
    async (world, { by, channel, setting, group }) => {
      const groups = await twoGroups(world)
      const { id } = groups[group % groups.length] as Group
      return world.manager(by)?.call('update-stream', { stream_id: world.channel(channel).id, [setting]: { new: id } })
    },
    { weight: 2 },
  ),
  ourKind(
    'deactivate group',
    ({ manager }) => ({ by: manager, group: fc.nat({ max: 5 }) }),
    async (world, { by, group }) => {
      const groups = await twoGroups(world)
      return (
        (await deactivate(world, by, groups[group % groups.length])) ?? deactivate(world, by, await freshGroup(world))
      )
    },
    { weight: 2 },
  ),
  ourKind(
    'reactivate group',
    ({ manager }) => ({ by: manager, group: fc.nat({ max: 5 }) }),
    async (world, { by, group }) => {
      const former = formerGroups(world)
      if (former.length === 0) await deactivate(world, 0, await freshGroup(world))
      const made = former[group % former.length]
      if (!made) return undefined
      const answer = await world.manager(by)?.call('update-user-group', { user_group_id: made.id, deactivated: false })
      if (answer?.status === 200) move(made, former, groupsIn(world))
      return answer
    },
    { weight: 2 },
  ),
]

/** Undefined if something needs the group, or nobody may deactivate it. */
async function deactivate(world: World, by: number | undefined, group: Group | undefined) {
  if (!group) return undefined
  const answer = await world.manager(by)?.call('deactivate-user-group', { user_group_id: group.id })
  if (answer?.body?.code === 'CANNOT_DEACTIVATE_GROUP_IN_USE') return undefined
  if (answer?.status === 200) move(group, groupsIn(world), formerGroups(world))
  return answer
}

/** A group that nothing needs. */
async function freshGroup(world: World): Promise<Group | undefined> {
  await createGroup(world, plain)
  return groupsIn(world).at(-1)
}

function move(group: Group, from: Group[], to: Group[]): void {
  if (!from.includes(group)) return // somebody else was faster
  from.splice(from.indexOf(group), 1)
  to.push(group)
}

async function createGroup(world: World, { by, members, subgroups, named }: CreateGroup) {
  const known = [...groupsIn(world).map(({ id }) => id), systemGroup]
  const subgroupIds = subgroups.map((number) => known[number % known.length] as number)
  const newcomer = named === 0 ? await world.newcomer() : world.newcomers[named]
  const answer = await world.manager(by)?.call('create-user-group', {
    name: world.unique('Group'),
    description: 'Of a law.',
    members: world.named(members),
    subgroups: subgroupIds,
    can_mention_group: newcomer && { direct_members: [newcomer.userId], direct_subgroups: [6] },
  })
  const made = { id: answer?.body?.group_id, members: new Set(members), subgroupIds: new Set(subgroupIds) }
  return world.keep<Group>('groups', answer, made)
}

/** The groups of the world, at least two. */
async function twoGroups(world: World): Promise<readonly Group[]> {
  while (groupsIn(world).length < 2) await createGroup(world, plain)
  return groupsIn(world)
}

async function changeSubgroups(world: World, by: number | undefined, group: Group, isAddition: boolean, id: number) {
  const values = { user_group_id: group.id, [isAddition ? 'add_subgroups' : 'delete_subgroups']: [id] }
  const answer = await world.manager(by)?.call('update-user-group-members', values)
  if (answer?.status === 200) group.subgroupIds[isAddition ? 'add' : 'delete'](id)
  return answer
}
