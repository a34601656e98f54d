import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creatorGroups, type WantedCreators } from '../../conformance/acts/organization.ts'
import { groupsIn } from '../../conformance/acts/user-groups.ts'
import type { Action } from '../../conformance/laws/action-kind.ts'
import { anyOf } from '../../conformance/laws/actions.ts'
import type { World } from '../../conformance/laws/world.ts'
import { fc, seed } from '../../conformance/seed-testing.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { MEMBER, OURS, OWNER, type Person, perform, worldAt } from './ground.ts'
import { Tally } from './tally.ts'

const KINDS = ['change organization', 'change members', 'change subgroups', 'deactivate group', 'reactivate group']
/** Codes of their roles; a system group has everybody with at most the code that its id stands for. */
const ROLES = [100, 200, 300, 400, 400]
const LEAST = [0, 0, 100, 200, 300, 400, 400, 600]

/** The same question without an index, from the accepted changes of each group. */
function isIn(world: World, groupId: number, person: Person): boolean {
  const group = groupsIn(world).find(({ id }) => id === groupId)
  if (!group) return (ROLES[person] ?? 700) <= (LEAST[groupId] ?? 0)
  return group.members.has(person) || [...group.subgroupIds].some((id) => isIn(world, id, person))
}

interface Step extends Action {
  readonly member?: Person
  readonly can_create_groups?: WantedCreators
}

const create = (by: Person, members: readonly Person[]) => ({
  ...{ kind: 'create group', who: by, by, members, subgroups: [], named: 9 },
})

onEachDatabase('a change of groups or of the organization holds on the next request', (dialect) => {
  const parley = sharedParley(dialect)

  test('whoever asks, through groups within groups', async () => {
    const tally = new Tally()
    const anyRun = fc.array(fc.record({ action: anyOf(KINDS, OURS), anybody: fc.constantFrom(...ROLES.keys()) }), {
      minLength: 15,
      maxLength: 40,
    })
    await fc.assert(
      fc.asyncProperty(anyRun, async (steps) => {
        const world = await worldAt(await parley())
        await perform(world, tally, create(OWNER, [MEMBER]))
        let groups = [2, groupsIn(world)[0]?.id ?? 0]
        let people: readonly Person[] = []
        const value = { direct_members: [], direct_subgroups: groups }
        await world.person(OWNER).must('update-realm', { can_create_groups: { new: value } })
        for (const { action, anybody } of steps) {
          const { member = anybody, can_create_groups: wanted }: Step = action
          // Mostly the people the action is about.
          const asked = member < ROLES.length ? member : anybody
          if ((await perform(world, tally, action)) && wanted) {
            groups = creatorGroups(world, wanted)
            people = wanted.people
          }
          const may = people.includes(asked) || groups.some((id) => isIn(world, id, asked))
          const isDone = await perform(world, tally, create(asked, []))
          tally.saw(may ? 'allowed' : 'refused')
          assert.equal(isDone, may, `${asked} creates a group after ${JSON.stringify(action)}`)
        }
        await world.end()
      }),
      { seed, numRuns: 12, interruptAfterTimeLimit: 400_000 },
    )
    console.log([`seed ${seed}`, ...tally.lines()].join('\n'))
    tally.check(['allowed', 'refused'])
  })
})
