import fc from 'fast-check'
import type { Account, Values } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { kind } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'create-user-group': ({ user }, t) => newGroup(user, t),
  'update-user-group-members': async ({ user, other }, t) => {
    // Nobody is in it yet: where there is only one account, it is the other one, too.
    const { body } = await user.must('create-user-group', { ...newGroup(user, t), members: [] })
    return { user_group_id: body.group_id, add: [other.userId] }
  },
}

function newGroup(user: Account, t: CheckContext): Values {
  return { name: t.unique(user.fullName).slice(-90), description: 'For the suite.', members: [user.userId] }
}

/** A group that the world made, with what was accepted of it since. */
interface Group {
  readonly id: number
  readonly members: Set<number>
  readonly subgroupIds: Set<number>
}
export function groupsIn(world: World): Group[] {
  return world.kept<Group>('groups')
}

export interface CreateGroup {
  readonly by: number | undefined
  readonly members: readonly number[]
  readonly subgroups: readonly number[]
  /** An account that the world made, if any, which a setting of the group names. */
  readonly named: number
}

const isOurs = { isOurs: true }
/** One that follows the roles. */
const systemGroup = 5

export const actions = [
  kind<CreateGroup>(
    'create group',
    4,
    ({ manager, who }) => ({
      by: manager,
      members: fc.uniqueArray(who, { maxLength: 7 }),
      subgroups: fc.array(fc.nat({ max: 3 }), { maxLength: 2 }),
      named: fc.nat({ max: 2 }),
    }),
    createGroup,
    isOurs,
  ),
  kind(
    'change members',
    3,
    ({ manager, who }) => ({ by: manager, group: fc.nat({ max: 3 }), isAddition: fc.boolean(), member: who }),
    async (world, { by, group, isAddition, member }) => {
      const made = (await twoGroups(world))[group % groupsIn(world).length] as Group
      const values = { user_group_id: made.id, [isAddition ? 'add' : 'delete']: world.named([member]) }
      const answer = await world.manager(by)?.call('update-user-group-members', values)
      if (answer?.status === 200) made.members[isAddition ? 'add' : 'delete'](member)
      return answer
    },
    isOurs,
  ),
  kind(
    'change subgroups',
    3,
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
      // Only groups that were made before, so that few are refused for going round in a circle.
      const inner = [systemGroup, ...groups.slice(0, place).map(({ id }) => id)]
      const added = inner[subgroup % inner.length] as number
      if (isAddition) return changeSubgroups(world, by, made, true, added)
      if (groups.every(({ subgroupIds }) => subgroupIds.size === 0)) await changeSubgroups(world, 0, made, true, added)
      const nested = groups.flatMap((one) => [...one.subgroupIds].map((id) => [one, id] as const))
      const [outer, within] = nested[subgroup % nested.length] ?? [made, added]
      return changeSubgroups(world, by, outer, false, within)
    },
    isOurs,
  ),
]

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
  if (answer?.status !== 200) return answer
  groupsIn(world).push({ id: answer.body.group_id, members: new Set(members), subgroupIds: new Set(subgroupIds) })
  return answer
}

/** The groups of the world, two at least: the first of its people is the owner, who may always make some. */
async function twoGroups(world: World): Promise<readonly Group[]> {
  const first = { by: 0, members: [3, 4], subgroups: [], named: 9 }
  while (groupsIn(world).length < 2) await createGroup(world, first)
  return groupsIn(world)
}

async function changeSubgroups(world: World, by: number | undefined, group: Group, isAddition: boolean, id: number) {
  const values = { user_group_id: group.id, [isAddition ? 'add_subgroups' : 'delete_subgroups']: [id] }
  const answer = await world.manager(by)?.call('update-user-group-members', values)
  if (answer?.status === 200) group.subgroupIds[isAddition ? 'add' : 'delete'](id)
  return answer
}
