import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind, MadeGroup, Run } from '../run.ts'
import { createUser } from './create-user.ts'

const somebody = fc.constantFrom<Person[]>('owner', 'owner', 'owner', 'owner', 'admin', 'member', 'guest', 'bot')

export interface CreateGroup {
  readonly kind: 'create group'
  readonly actor: Person
  readonly members: readonly Person[]
  readonly subgroups: readonly number[]
  /** An account that the run made, if any, which a setting of the group names. */
  readonly named: number
}

export const createGroup: ActionKind<CreateGroup> = {
  kinds: ['create group'],
  weight: 4,
  any: fc.record({
    kind: fc.constant('create group' as const),
    actor: somebody,
    members: fc.subarray([...PEOPLE]),
    subgroups: fc.array(fc.nat({ max: 3 }), { maxLength: 2 }),
    named: fc.nat({ max: 2 }),
  }),
  async request(run, { actor, members, subgroups, named }) {
    const subgroupIds = groupsOf(run, subgroups)
    if (named === 0 && run.users.length === 0) await createUser.request(run, { kind: 'create user', actor: 'owner' })
    const [newcomer] = run.users.slice(named)
    const answer = await run.as(actor).post('/user_groups/create', {
      name: run.server.unique('Group'),
      description: 'Of a law.',
      members: run.named(members, false),
      subgroups: subgroupIds,
      ...(newcomer !== undefined && { can_mention_group: { direct_members: [newcomer], direct_subgroups: [6] } }),
    })
    if (answer.status !== 200) return answer
    run.groups.push({ id: answer.body.group_id, members: new Set(members), subgroupIds: new Set(subgroupIds) })
    return answer
  },
}

export interface ChangeGroupMembers {
  readonly kind: 'change members' | 'change subgroups'
  readonly actor: Person
  readonly group: number
  readonly isAddition: boolean
  readonly people: readonly Person[]
  readonly groups: readonly number[]
}

export const changeGroupMembers: ActionKind<ChangeGroupMembers> = {
  kinds: ['change members', 'change subgroups'],
  weight: 6,
  any: fc.record({
    kind: fc.constantFrom('change members' as const, 'change subgroups' as const),
    actor: somebody,
    group: fc.nat({ max: 3 }),
    isAddition: fc.boolean(),
    people: fc.constantFrom(...PEOPLE).map((one) => [one]),
    groups: fc.nat({ max: 3 }).map((one) => [one]),
  }),
  async request(run, { kind, actor, group, isAddition, people, groups: [number = 0] }) {
    while (run.groups.length < 2) await createGroup.request(run, FIRST)
    const place = group % run.groups.length
    const made = run.groups[place] as MadeGroup
    if (kind === 'change members') return changeMembers(run, actor, made, isAddition, people)
    // Only groups that were made before, so that few are refused for going round in a circle.
    const inner = [SYSTEM_GROUP, ...run.groups.slice(0, place).map(({ id }) => id)]
    const added = inner[number % inner.length] ?? SYSTEM_GROUP
    if (isAddition) return changeSubgroups(run, actor, made, true, added)
    const isNested = run.groups.some(({ subgroupIds }) => subgroupIds.size > 0)
    if (!isNested) await changeSubgroups(run, 'owner', made, true, added)
    const nested = run.groups.flatMap((one) => [...one.subgroupIds].map((id) => [one, id] as const))
    const [outer, within] = nested[number % nested.length] ?? [made, added]
    return changeSubgroups(run, actor, outer, false, within)
  },
}

async function changeMembers(
  run: Run,
  actor: Person,
  group: MadeGroup,
  isAddition: boolean,
  people: readonly Person[],
) {
  const ids = run.named(people, false)
  const answer = await run.as(actor).post(`/user_groups/${group.id}/members`, { [isAddition ? 'add' : 'delete']: ids })
  if (answer.status === 200) for (const one of people) group.members[isAddition ? 'add' : 'delete'](one)
  return answer
}

async function changeSubgroups(run: Run, actor: Person, group: MadeGroup, isAddition: boolean, id: number) {
  const name = isAddition ? 'add_subgroups' : 'delete_subgroups'
  const answer = await run.as(actor).post(`/user_groups/${group.id}/members`, { [name]: [id] })
  if (answer.status === 200) group.subgroupIds[isAddition ? 'add' : 'delete'](id)
  return answer
}

/** Where a run has made none. */
const FIRST: CreateGroup = {
  kind: 'create group',
  actor: 'owner',
  members: ['member', 'member2'],
  subgroups: [],
  named: 9,
}

const SYSTEM_GROUP = 5

/** Groups that the run made, and among them one that follows the roles. */
function groupsOf(run: Run, numbers: readonly number[]): number[] {
  const known = [...run.groups.map(({ id }) => id), SYSTEM_GROUP]
  return numbers.map((number) => known[number % known.length] ?? SYSTEM_GROUP)
}
