import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type GroupContents, GroupGraph, type GroupPerson } from './group-graph.ts'
import type { UserId } from './ids.ts'
import type { LogEvent } from './log-event.ts'
import { ROLE } from './roles.ts'
import { isSystemGroupId, SYSTEM_GROUP_ID, systemGroupContains } from './system-groups.ts'

const FIRST = 9
const USERS = [1, 2, 3] as UserId[]
const GROUPS = [FIRST, 10, 11, 12, 13, 14]
const SYSTEM = Object.values(SYSTEM_GROUP_ID)

type Contents = Map<number, GroupContents>

/** As it would be asked without an index: what a group has, and what its subgroups have. */
function naivelyContains(contents: Contents, groupId: number, person: GroupPerson, above: number[] = []): boolean {
  if (isSystemGroupId(groupId)) return systemGroupContains(groupId, person.role, person)
  const group = contents.get(groupId)
  if (!group || above.includes(groupId)) return false
  return (
    group.memberIds.includes(person.id) ||
    group.subgroupIds.some((id) => naivelyContains(contents, id, person, [...above, groupId]))
  )
}

const anyContents: fc.Arbitrary<Contents> = fc
  .array(
    fc.record({
      memberIds: fc.uniqueArray(fc.constantFrom(...USERS)),
      subgroupIds: fc.uniqueArray(fc.constantFrom(...GROUPS, ...SYSTEM), { maxLength: 3 }),
    }),
    { maxLength: GROUPS.length },
  )
  .map((groups) => new Map(groups.map((group, index) => [FIRST + index, group])))

const anyEvent: fc.Arbitrary<LogEvent> = fc.record({
  type: fc.constant('user_group'),
  op: fc.constantFrom('add_members', 'remove_members'),
  group_id: fc.constantFrom(...GROUPS, ...SYSTEM),
  user_ids: fc.uniqueArray(fc.constantFrom(...USERS), { minLength: 1 }),
}) as fc.Arbitrary<LogEvent>

const people = USERS.flatMap((id) =>
  Object.values(ROLE).flatMap((role) => [true, false].map((isNew) => ({ id, role, isNew }))),
)

/** The same change, to a plain map. */
function applied(contents: Contents, event: LogEvent): void {
  if (event.type !== 'user_group') return
  const group = contents.get(event.group_id)
  if (!group) return
  const ids = event.user_ids as UserId[]
  const rest = group.memberIds.filter((id) => !ids.includes(id))
  contents.set(event.group_id, { ...group, memberIds: event.op === 'add_members' ? [...rest, ...ids] : rest })
}

describe('who is in which group', () => {
  test('is what the groups say, after every event, and earlier states stay as they were', () =>
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

  test('is another state only where an event changes a group that people made', () => {
    const graph = GroupGraph.of(new Map([[FIRST, { memberIds: [], subgroupIds: [] }]]))
    const event = { type: 'user_group', op: 'add_members', user_ids: [1] } as const
    assert.equal(graph.after([{ ...event, group_id: SYSTEM_GROUP_ID['role:members'] }]), graph)
    assert.equal(graph.after([{ type: 'tick' }]), graph)
    assert.notEqual(graph.after([{ ...event, group_id: FIRST }]), graph)
  })

  const [user] = USERS as [UserId]
  const person = { id: user, role: ROLE.member, isNew: false }

  test('costs a look-up however deep and wide the groups are nested (SEC-GROUPS-1)', (t) => {
    const deep = 20_000
    const chain: Contents = new Map()
    for (let id = FIRST; id < FIRST + deep; id += 1) chain.set(id, { memberIds: [], subgroupIds: [id + 1] })
    chain.set(FIRST + deep, { memberIds: [user], subgroupIds: [] })
    const graph = GroupGraph.of(chain)
    assert.equal(graph.contains(FIRST, person), true)
    const looks = t.mock.method(Map.prototype, 'get')
    for (let id = FIRST; id < FIRST + 100; id += 1) assert.equal(graph.contains(id, person), true)
    assert.ok(looks.mock.callCount() <= 200, `${looks.mock.callCount()} looks for 100 questions`)
    looks.mock.restore()
    assert.equal(graph.within([FIRST]).size, deep + 1)
  })

  test('finds a person in every group of a graph in layers with as many steps as it has links (SEC-GROUPS-1)', (t) => {
    const layers = 40
    const width = 15
    const layered: Contents = new Map()
    const idOf = (layer: number, index: number): number => FIRST + layer * width + index
    for (let layer = 0; layer < layers; layer += 1)
      for (let index = 0; index < width; index += 1) {
        const below = Array.from({ length: width }, (_, other) => idOf(layer + 1, other))
        layered.set(idOf(layer, index), { memberIds: [], subgroupIds: layer === layers - 1 ? [] : below })
      }
    layered.set(idOf(layers - 1, 0), { memberIds: [user], subgroupIds: [] })
    const graph = GroupGraph.of(layered)
    const looks = t.mock.method(Map.prototype, 'get')
    assert.equal(graph.contains(idOf(0, 3), person), true)
    assert.ok(looks.mock.callCount() <= layers * width + 20, `${looks.mock.callCount()} looks`)
  })
})
