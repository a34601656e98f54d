import type { Clock } from '../domain/clock.ts'
import type { LoggedEvent } from '../domain/events/log-event.ts'
import { Linkifiers, NO_LINKIFIERS } from '../domain/linkifiers/linkifiers.ts'
import { type Organization, organizationSettings } from '../domain/organization/organization-settings.ts'
import { OrganizationState } from '../domain/organization/organization-state.ts'
import { NO_PICTURES } from '../domain/organization/pictures.ts'
import { GroupGraph } from '../domain/user-groups/group-graph.ts'
import { LogSpan } from './log-span.ts'
import type { EventLogReader } from './repositories/event-log.ts'
import type { LinkifierReader } from './repositories/linkifiers.ts'
import type { OrganizationReader } from './repositories/organizations.ts'
import type { UserGroupReader } from './repositories/user-groups.ts'

/** Stands for the organization until the first start has created it. */
const UNMADE: Organization = {
  id: 1,
  uuid: '',
  stringId: '',
  name: '',
  description: '',
  createdAt: 0,
  settings: organizationSettings({}),
  pictures: NO_PICTURES,
  isDeactivated: false,
}

/** Types of the events that change it. */
const CHANGING = ['realm', 'realm_reactivated', 'user_group', 'realm_linkifiers'] as const

interface Rows {
  readonly organizations: OrganizationReader
  readonly userGroups: UserGroupReader
  readonly linkifiers: LinkifierReader
}

/** The organization in memory: the tables at the start plus every event of the log since. */
export class FollowedOrganization {
  readonly #clock: Clock
  #present: OrganizationState
  readonly #span = new LogSpan()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#present = new OrganizationState(UNMADE, GroupGraph.of(new Map()), NO_LINKIFIERS, clock)
  }

  get present(): OrganizationState {
    return this.#present
  }

  /** Starts with the content of the tables. @param position the head of the log at that moment */
  async start(read: Rows, position: number): Promise<void> {
    this.#present = await this.load(read)
    this.#present.linkifiers.prepare()
    this.#span.start(position)
  }

  /** Call it for all events, in the order of the log, before anybody learns of their commit. */
  follow(events: readonly LoggedEvent[]): void {
    const last = events.at(-1)
    if (!last) return
    const after = this.#present.after(events.map(({ event }) => event))
    this.#span.follow(last, after !== this.#present)
    this.#present = after
  }

  /**
   * Returns the organization at the head of a snapshot, from memory if it is of the same moment, otherwise from the
   * snapshot's tables.
   */
  async at(read: Rows & { readonly events: EventLogReader }, head: number): Promise<OrganizationState> {
    // Captured now, because an event after this head may have changed it before the log answers.
    const present = this.#present
    return (await this.#span.covers(read.events, head, CHANGING)) ? present : this.load(read)
  }

  async load({ organizations, userGroups, linkifiers }: Rows): Promise<OrganizationState> {
    const organization = (await organizations.find()) ?? UNMADE
    const groups = GroupGraph.of(await userGroups.contents())
    return new OrganizationState(organization, groups, new Linkifiers(await linkifiers.all()), this.#clock)
  }
}
