import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind, Run } from '../run.ts'
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
    run.groups.push(answer.body.group_id)
    for (const id of subgroupIds) run.nested.push([answer.body.group_id, id])
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
    const change = (who: Person, id: number, changes: object) =>
      run.as(who).post(`/user_groups/${id}/members`, { ...changes })
    const place = group % run.groups.length
    const id = run.groups[place] ?? 0
    if (kind === 'change members')
      return change(actor, id, { [isAddition ? 'add' : 'delete']: run.named(people, false) })
    // Only groups that were made before, so that few are refused for going round in a circle.
    const inner = [SYSTEM_GROUP, ...run.groups.slice(0, place)]
    const added = [id, inner[number % inner.length] ?? SYSTEM_GROUP] as const
    if (isAddition || run.nested.length === 0) {
      const answer = await change(isAddition ? actor : 'owner', id, { add_subgroups: [added[1]] })
      if (answer.status === 200) run.nested.push(added)
      if (isAddition) return answer
    }
    const [outer, within] = run.nested[number % run.nested.length] ?? added
    return change(actor, outer, { delete_subgroups: [within] })
  },
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
  const known = [...run.groups, SYSTEM_GROUP]
  return numbers.map((number) => known[number % known.length] ?? SYSTEM_GROUP)
}
