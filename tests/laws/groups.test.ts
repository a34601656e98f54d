import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { changeOrganization, creatorGroups } from './actions/change-organization.ts'
import { changeGroupMembers, createGroup } from './actions/user-groups.ts'
import { anyAction } from './all-actions.ts'
import type { Person } from './people.ts'
import { type ActionKind, Run } from './run.ts'
import { Tally } from './tally.ts'

const KINDS: readonly ActionKind[] = [changeOrganization, changeGroupMembers]
/** Codes of their roles; a group of the system has everybody with at most the code that its id stands for. */
const ROLES: Readonly<Partial<Record<Person, number>>> = {
  owner: 100,
  admin: 200,
  moderator: 300,
  member: 400,
  member2: 400,
}
const LEAST = [0, 0, 100, 200, 300, 400, 400, 600]

/** As it would be asked without an index, of what was accepted of each group. */
function isIn(run: Run, groupId: number, person: Person): boolean {
  const group = run.groups.find(({ id }) => id === groupId)
  if (!group) return (ROLES[person] ?? 700) <= (LEAST[groupId] ?? 0)
  return group.members.has(person) || [...group.subgroupIds].some((id) => isIn(run, id, person))
}

onEachDatabase('a change of groups or of the organization holds on the next request', (dialect) => {
  const parley = sharedParley(dialect)

  test('whoever asks, through groups within groups', async () => {
    const seed = Number(process.env.PARLEY_SEED ?? 482)
    const tally = new Tally()
    const anyRun = fc.array(
      fc.record({ action: anyAction(KINDS), anybody: fc.constantFrom(...(Object.keys(ROLES) as Person[])) }),
      { minLength: 15, maxLength: 40 },
    )
    await fc.assert(
      fc.asyncProperty(anyRun, async (steps) => {
        const server = await parley()
        const run = await Run.begin(server, tally, [...KINDS, createGroup])
        const first = { kind: 'create group', actor: 'owner', members: ['member'], subgroups: [], named: 9 } as const
        await run.perform(first)
        let groups = [2, run.groups[0]?.id ?? 0]
        let people: readonly Person[] = []
        const value = { direct_members: [], direct_subgroups: groups }
        await server.as('owner').must('PATCH', '/realm', { can_create_groups: { new: value } })
        for (const { action, anybody } of steps) {
          // Mostly those whom it is about.
          const named = (action as { people?: readonly Person[] }).people?.find((one) => one in ROLES)
          const asked = named ?? anybody
          const { status } = await run.perform(action)
          const wanted = action.kind === 'change organization' && (action as never as Change).settings.can_create_groups
          if (status === 200 && wanted) {
            groups = creatorGroups(run, wanted)
            people = wanted.people
          }
          const may = people.includes(asked) || groups.some((id) => isIn(run, id, asked))
          const question = { kind: 'create group' as const, actor: asked, members: [], subgroups: [], named: 9 }
          const answer = await run.perform(question)
          tally.saw(may ? 'allowed' : 'refused')
          assert.equal(answer.status === 200, may, `${asked} creates a group after ${JSON.stringify(action)}`)
        }
        await run.end()
      }),
      { seed, numRuns: 12, interruptAfterTimeLimit: 120_000, markInterruptAsFailure: true },
    )
    console.log([`seed ${seed}`, ...tally.lines()].join('\n'))
    tally.check(['allowed', 'refused'])
  })
})

type Change = Parameters<(typeof changeOrganization)['request']>[1]
