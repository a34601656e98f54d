/** Role codes on the wire (ROLE-1 to ROLE-5); a lower code is a higher role. */
export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const

export type Role = (typeof ROLE)[keyof typeof ROLE]
export type RoleName = keyof typeof ROLE

/** Whether `role` may do everything that `least` may do. Owners pass every check (AUTH-12). */
export function hasRole(role: Role, least: RoleName): boolean {
  return role <= ROLE[least]
}

export function isGuest(role: Role): boolean {
  return role === ROLE.guest
}

/** Present and former roles of a user, by positions of the event log. */
export interface RoleHistory {
  readonly role: Role
  /** Oldest first; each ended with its event. */
  readonly former: readonly { readonly role: Role; readonly toEventId: number }[]
}

/** Returns the role at the time of the event `eventId`. */
export function roleAt({ role, former }: RoleHistory, eventId: number): Role {
  return former.find((one) => eventId <= one.toEventId)?.role ?? role
}
