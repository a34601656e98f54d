import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import type { LogEvent } from '../events/log-event.ts'
import type { UserId } from '../ids.ts'
import { ROLE } from '../users/roles.ts'
import { type GroupContents, GroupGraph, type GroupPerson } from './group-graph.ts'
import { isSystemGroupId, SYSTEM_GROUP_ID, systemGroupContains } from './system-groups.ts'

const FIRST = 9
const USERS = [1, 2, 3] as UserId[]
const GROUPS = [FIRST, 10, 11, 12, 13, 14]
const SYSTEM = Object.values(SYSTEM_GROUP_ID)

type Contents = Map<number, GroupContents>

const EMPTY: GroupContents = { creatorId: null, memberIds: [], subgroupIds: [], listed: {}, isDeactivated: false }

/** Answers the same question without an index, from the members of a group and of its subgroups. */
function naivelyContains(contents: Contents, groupId: number, person: GroupPerson, above: number[] = []): boolean {
  if (isSystemGroupId(groupId)) return systemGroupContains(groupId, person.role, person)
  const group = contents.get(groupId)
  if (!group || group.isDeactivated || above.includes(groupId)) return false
  return (
    group.memberIds.includes(person.id) ||
    group.subgroupIds.some((id) => naivelyContains(contents, id, person, [...above, groupId]))
  )
}

const anyContents: fc.Arbitrary<Contents> = fc
  .array(
    fc.record({
      creatorId: fc.constant(null),
      memberIds: fc.uniqueArray(fc.constantFrom(...USERS)),
      subgroupIds: fc.uniqueArray(fc.constantFrom(...GROUPS, ...SYSTEM), { maxLength: 3 }),
      listed: fc.constant({}),
      isDeactivated: fc.nat({ max: 3 }).map((number) => number === 0),
    }),
    { maxLength: GROUPS.length },
  )
  .map((groups) => new Map(groups.map((group, index) => [FIRST + index, group])))

const someUsers = fc.uniqueArray(fc.constantFrom(...USERS), { minLength: 1 })
const someGroups = fc.uniqueArray(fc.constantFrom(...GROUPS, ...SYSTEM), { minLength: 1, maxLength: 2 })
const anyEvent = fc.oneof(
  fc.record({
    type: fc.constant('user_group' as const),
    op: fc.constantFrom('add_members', 'remove_members'),
    group_id: fc.constantFrom(...GROUPS, ...SYSTEM),
    user_ids: someUsers,
  }),
  fc.record({
    type: fc.constant('user_group' as const),
    op: fc.constantFrom('add_subgroups', 'remove_subgroups'),
    group_id: fc.constantFrom(...GROUPS, ...SYSTEM),
    direct_subgroup_ids: someGroups,
  }),
  fc.record({
    type: fc.constant('user_group' as const),
    op: fc.constant('update'),
    group_id: fc.constantFrom(...GROUPS),
    data: fc.constantFrom({ deactivated: true }, { deactivated: false }, { name: 'x' }),
  }),
  fc.record({
    type: fc.constant('user_group' as const),
    op: fc.constant('add'),
    group: fc.record({
      id: fc.constantFrom(...GROUPS),
      creator_id: fc.constantFrom(1, 2),
      members: someUsers,
      direct_subgroup_ids: someGroups,
    }),
  }),
) as fc.Arbitrary<LogEvent>

const people = USERS.flatMap((id) =>
  Object.values(ROLE).flatMap((role) => [true, false].map((isNew) => ({ id, role, isNew }))),
)

function changed<Id extends number>(before: readonly Id[], ids: readonly Id[], isAddition: boolean): Id[] {
  const rest = before.filter((id) => !ids.includes(id))
  return isAddition ? [...rest, ...ids] : rest
}

/** Applies the change to a plain map. */
function applied(contents: Contents, event: LogEvent): void {
  if (event.type !== 'user_group') return
  if (event.op === 'add') {
    const { id, members, direct_subgroup_ids: subgroupIds } = event.group
    contents.set(id, { ...EMPTY, memberIds: members as UserId[], subgroupIds })
    return
  }
  const group = contents.get(event.group_id)
  if (!group) return
  if (event.op === 'update') {
    contents.set(event.group_id, { ...group, isDeactivated: event.data.deactivated ?? group.isDeactivated })
    return
  }
  const isAddition = event.op.startsWith('add')
  if (event.op === 'add_members' || event.op === 'remove_members') {
    const memberIds = changed(group.memberIds, event.user_ids as UserId[], isAddition)
    contents.set(event.group_id, { ...group, memberIds })
  } else {
    const subgroupIds = changed(group.subgroupIds, event.direct_subgroup_ids, isAddition)
    contents.set(event.group_id, { ...group, subgroupIds })
  }
}

describe('membership of groups', () => {
  test('follows the groups after every event, and earlier states do not change', () =>
    fc.assert(
      fc.property(anyContents, fc.array(anyEvent, { maxLength: 8 }), (contents, events) => {
        const states = [{ graph: GroupGraph.of(contents), contents }]
        for (const event of events) {
          const last = states.at(-1) as (typeof states)[number]
          const next = new Map(last.contents)
          applied(next, event)
          states.push({ graph: last.graph.after([event]), contents: next })
        }
        const asked = [...GROUPS, ...SYSTEM, 99]
        for (const state of states) {
          for (const person of people) {
            for (const id of asked) {
              assert.equal(state.graph.contains(id, person), naivelyContains(state.contents, id, person), `${id}`)
            }
          }
        }
        const together = GroupGraph.of(contents).after(events)
        for (const person of people)
          for (const id of asked) assert.equal(together.contains(id, person), states.at(-1)?.graph.contains(id, person))
      }),
    ))

  test('changes only if an event changes a group that people made', () => {
    const graph = GroupGraph.of(new Map([[FIRST, EMPTY]]))
    const event = { type: 'user_group', op: 'add_members', user_ids: [1] } as const
    assert.equal(graph.after([{ ...event, group_id: SYSTEM_GROUP_ID['role:members'] }]), graph)
    assert.equal(graph.after([{ type: 'tick' }]), graph)
    assert.notEqual(graph.after([{ ...event, group_id: FIRST }]), graph)
  })

  const [user] = USERS as [UserId]
  const person = { id: user, role: ROLE.member, isNew: false }

  test('ignores a deactivated group, which keeps its members', () => {
    const graph = GroupGraph.of(
      new Map([
        [FIRST, { ...EMPTY, memberIds: [user], subgroupIds: [10] }],
        [10, EMPTY],
      ]),
    )
    const update = { type: 'user_group', op: 'update', group_id: FIRST } as const
    const out = graph.after([{ ...update, data: { deactivated: true } }])
    assert.deepEqual([out.has(FIRST), out.contains(FIRST, person), out.supergroupsOf(10)], [false, false, []])
    assert.deepEqual([out.contentsOf(FIRST)?.memberIds, out.subgroupsOf(FIRST)], [[user], [10]])
    const back = out.after([{ ...update, data: { deactivated: false } }])
    assert.deepEqual([back.has(FIRST), back.contains(FIRST, person), back.supergroupsOf(10)], [true, true, [FIRST]])
    assert.equal(graph.after([{ ...update, data: { name: 'x' } }]), graph)
  })

  test('costs one look-up however deep and wide the groups are nested (SEC-GROUPS-1)', (t) => {
    const deep = 20_000
    const chain: Contents = new Map()
    for (let id = FIRST; id < FIRST + deep; id += 1) chain.set(id, { ...EMPTY, subgroupIds: [id + 1] })
    chain.set(FIRST + deep, { ...EMPTY, memberIds: [user] })
    const graph = GroupGraph.of(chain)
    assert.equal(graph.contains(FIRST, person), true)
    const looks = t.mock.method(Map.prototype, 'get')
    for (let id = FIRST; id < FIRST + 100; id += 1) assert.equal(graph.contains(id, person), true)
    assert.ok(looks.mock.callCount() <= 200, `${looks.mock.callCount()} looks for 100 questions`)
    looks.mock.restore()
    assert.equal(graph.within([FIRST]).size, deep + 1)
  })

  test('finds a person in every group of a layered graph with as many steps as links (SEC-GROUPS-1)', (t) => {
    const layers = 40
    const width = 15
    const layered: Contents = new Map()
    const idOf = (layer: number, index: number): number => FIRST + layer * width + index
    for (let layer = 0; layer < layers; layer += 1)
      for (let index = 0; index < width; index += 1) {
        const below = Array.from({ length: width }, (_, other) => idOf(layer + 1, other))
        layered.set(idOf(layer, index), {
          ...EMPTY,
          subgroupIds: layer === layers - 1 ? [] : below,
        })
      }
    layered.set(idOf(layers - 1, 0), { ...EMPTY, memberIds: [user] })
    const graph = GroupGraph.of(layered)
    const looks = t.mock.method(Map.prototype, 'get')
    assert.equal(graph.contains(idOf(0, 3), person), true)
    assert.ok(looks.mock.callCount() <= layers * width + 20, `${looks.mock.callCount()} looks`)
  })

  test('leaves room for others, and everything to administrators (SEC-GROUPS-2)', () => {
    const [greedy, other] = [1, 2] as [UserId, UserId]
    let graph = GroupGraph.of(new Map())
    let id = FIRST
    const group = {
      creator_id: greedy,
      members: Array.from({ length: 900 }, (_, index) => index),
      direct_subgroup_ids: [],
    }
    for (; graph.hasRoom([greedy], 1000, false); id += 1) {
      graph = graph.after([{ type: 'user_group', op: 'add', group: { ...group, id } } as unknown as LogEvent])
    }
    assert.ok(id - FIRST > 100 && id - FIRST < 120, `${id - FIRST} groups`)
    assert.equal(graph.hasRoom([other], 90_000, false), true)
    assert.equal(graph.hasRoom([other, greedy], 1000, false), false, 'with their bots')
    assert.equal(graph.hasRoom([greedy], 800_000, true), true)
    assert.equal(graph.hasRoom([greedy], 1_000_000, true), false)
    const emptied = graph.after(
      Array.from({ length: id - FIRST }, (_, index) => ({
        type: 'user_group' as const,
        op: 'remove_members' as const,
        group_id: FIRST + index,
        user_ids: group.members,
      })),
    )
    assert.equal(emptied.hasRoom([greedy], 10_000, false), true)
  })

  test('counts the users of settings (SEC-GROUPS-2)', () => {
    const list = (count: number) => ({
      direct_members: Array.from({ length: count - 1 }, (_, index) => index),
      direct_subgroups: [SYSTEM_GROUP_ID['role:members']],
    })
    const of = { type: 'user_group', group_id: FIRST } as const
    const group = { id: FIRST, creator_id: user, members: [], direct_subgroup_ids: [], can_join_group: list(60_000) }
    const added = GroupGraph.of(new Map()).after([{ ...of, op: 'add', group } as unknown as LogEvent])
    const set = (graph: GroupGraph, data: object): GroupGraph =>
      graph.after([{ ...of, op: 'update', data } as unknown as LogEvent])
    const free = (graph: GroupGraph): number => {
      let more = 200_000
      while (!graph.hasRoom([user], more, false)) more -= 1
      return more
    }
    const before = free(added)
    const full = set(added, { can_join_group: list(61_000), can_mention_group: list(1000) })
    assert.equal(free(full), before - 2000)
    assert.equal(free(set(full, { can_join_group: list(60_000), can_mention_group: 1 })), before)
  })
})
