import { type Clock, DAY_SECONDS, unixSeconds } from '../clock.ts'
import type { LogEvent } from '../events/log-event.ts'
import { Linkifiers } from '../linkifiers/linkifiers.ts'
import type { GroupGraph } from '../user-groups/group-graph.ts'
import type { GroupSetting, GroupSettingValue } from '../user-groups/group-settings.ts'
import { SYSTEM_GROUP_ID } from '../user-groups/system-groups.ts'
import { isGuest } from '../users/roles.ts'
import type { User } from '../users/user.ts'
import {
  changedOrganization,
  isOrganizationField,
  type Organization,
  type OrganizationChanges,
  type OrganizationSettings,
} from './organization-settings.ts'
import { type OrganizationPictures, picturesAfter } from './pictures.ts'

/** The parts of an account on which permissions depend. */
export type Person = Pick<User, 'id' | 'role' | 'dateJoined'>

type RealmEvent = Extract<LogEvent, { type: 'realm' | 'realm_reactivated' }>

function changesItself(event: LogEvent): event is RealmEvent {
  return event.type === 'realm' || event.type === 'realm_reactivated'
}

/** Returns the changes without the older forms of settings, which follow from the others. */
function changesOf(event: RealmEvent): OrganizationChanges {
  if (event.type === 'realm_reactivated' || event.op === 'deactivated') return {}
  const changes = event.op === 'update' ? { [event.property]: event.value } : event.data
  return Object.fromEntries(Object.entries(changes).filter(([name]) => isOrganizationField(name)))
}

function isDeactivatedAfter(before: boolean, event: RealmEvent): boolean {
  if (event.type === 'realm_reactivated') return false
  return before || event.op === 'deactivated'
}

/**
 * The organization at one position of the event log, and the time: everything that permissions depend on besides the
 * rows concerned. A state is immutable, and a change makes a new one, so code that holds a state sees a single moment.
 * The state has the same source as the rows (`read.organization`, `tx.organization`), so that both are from the same
 * moment.
 */
export class OrganizationState implements Organization {
  readonly id: number
  readonly uuid: string
  readonly stringId: string
  readonly name: string
  readonly description: string
  readonly createdAt: number
  readonly settings: OrganizationSettings
  readonly pictures: OrganizationPictures
  readonly isDeactivated: boolean
  /** Members of groups. */
  readonly groups: GroupGraph
  /** Linkifiers for messages. */
  readonly linkifiers: Linkifiers
  readonly #clock: Clock

  constructor(organization: Organization, groups: GroupGraph, linkifiers: Linkifiers, clock: Clock) {
    this.id = organization.id
    this.uuid = organization.uuid
    this.stringId = organization.stringId
    this.name = organization.name
    this.description = organization.description
    this.createdAt = organization.createdAt
    this.settings = organization.settings
    this.pictures = organization.pictures
    this.isDeactivated = organization.isDeactivated
    this.groups = groups
    this.linkifiers = linkifiers
    this.#clock = clock
  }

  /** Present time in UNIX seconds. */
  get now(): number {
    return unixSeconds(this.#clock)
  }

  /** Users who joined after this are not full members yet. UNIX seconds. */
  get waitingPeriodStart(): number {
    return this.now - this.settings.waiting_period_threshold * DAY_SECONDS
  }

  /** Whether an account is too new to be a full member. */
  isInWaitingPeriod({ dateJoined }: Pick<Person, 'dateJoined'>): boolean {
    return dateJoined > this.waitingPeriodStart
  }

  /** Whether there may be accounts that cannot see all others. */
  get limitsVisibility(): boolean {
    return this.settings.can_access_all_users_group !== SYSTEM_GROUP_ID['role:everyone']
  }

  /**
   * Whether the person sees all accounts. The setting is for everybody or for members, so it excludes guests or nobody.
   */
  seesEverybody({ role }: Pick<Person, 'role'>): boolean {
    return !this.limitsVisibility || !isGuest(role)
  }

  /** Whether the person is in the group that a setting names, directly or through subgroups. */
  isIn(value: GroupSettingValue, person: Person): boolean {
    const member = { id: person.id, role: person.role, isNew: this.isInWaitingPeriod(person) }
    if (typeof value === 'number') return this.groups.contains(value, member)
    return (
      value.direct_members.includes(person.id) || value.direct_subgroups.some((id) => this.groups.contains(id, member))
    )
  }

  /**
   * Whether the person has the permission of a setting with this value. Guests have it only if the setting allows
   * everybody; otherwise a group with guests in it gives them nothing.
   */
  may({ allowsEveryone }: Pick<GroupSetting, 'allowsEveryone'>, value: GroupSettingValue, person: Person): boolean {
    return (allowsEveryone || !isGuest(person.role)) && this.isIn(value, person)
  }

  /** Returns the state after these events, in the order of the log; the same object if they change nothing here. */
  after(events: readonly LogEvent[]): OrganizationState {
    const groups = this.groups.after(events)
    const own = events.filter(changesItself)
    const last = events.findLast((event) => event.type === 'realm_linkifiers')
    if (groups === this.groups && own.length === 0 && !last) return this
    const linkifiers = last ? new Linkifiers(last.realm_linkifiers) : this.linkifiers
    const organization = {
      ...changedOrganization(this, Object.assign({}, ...own.map(changesOf))),
      pictures: picturesAfter(this.pictures, events),
      isDeactivated: own.reduce(isDeactivatedAfter, this.isDeactivated),
    }
    return new OrganizationState(organization, groups, linkifiers, this.#clock)
  }
}
