import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind, Run } from '../run.ts'

/** Who is to create groups: a group of the system, people, and a group that the run made, if any. */
export interface WantedCreators {
  readonly group: number
  readonly people: readonly Person[]
  readonly made: number
}

export interface ChangeOrganization {
  readonly kind: 'change organization'
  readonly actor: Person
  readonly settings: {
    readonly allow_message_editing?: boolean
    readonly can_create_groups?: WantedCreators
  }
}

export const changeOrganization: ActionKind<ChangeOrganization> = {
  kinds: ['change organization'],
  weight: 3,
  any: fc.record({
    kind: fc.constant('change organization' as const),
    actor: fc.constantFrom<Person[]>('owner', 'owner', 'owner', 'admin', 'admin', 'member', 'bot'),
    settings: fc.record(
      {
        // Where it is off nobody edits, and edits are to be seen, too.
        allow_message_editing: fc.constantFrom(true, true, true, true, false),
        can_create_groups: fc.record({
          group: fc.constantFrom(2, 2, 4, 6),
          people: fc.subarray([...PEOPLE], { maxLength: 2 }),
          made: fc.nat({ max: 3 }),
        }),
      },
      { requiredKeys: [] },
    ),
  }),
  request: (run, { actor, settings: { can_create_groups: groups, ...others } }) =>
    run.as(actor).patch('/realm', {
      ...others,
      ...(groups && {
        can_create_groups: {
          new: { direct_members: run.named(groups.people, false), direct_subgroups: creatorGroups(run, groups) },
        },
      }),
    }),
}

/** Ids of the groups that are meant. */
export function creatorGroups(run: Run, { group, made }: WantedCreators): number[] {
  const own = run.groups[made]
  return own === undefined ? [group] : [group, own.id]
}
