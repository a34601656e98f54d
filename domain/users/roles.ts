/** Role codes of the wire (ROLE-1 to ROLE-5); a smaller code may do more. */
export const ROLE = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const

export type Role = (typeof ROLE)[keyof typeof ROLE]
export type RoleName = keyof typeof ROLE

/** Whether `role` may do what `least` may do. Owners pass every check (AUTH-12). */
export function hasRole(role: Role, least: RoleName): boolean {
  return role <= ROLE[least]
}

export function isGuest(role: Role): boolean {
  return role === ROLE.guest
}

/** The role that somebody has, and those that they had, by positions of the event log. */
export interface RoleHistory {
  readonly role: Role
  /** Oldest first; each was in force up to its event, from the one before. */
  readonly former: readonly { readonly role: Role; readonly toEventId: number }[]
}

/** The role in force when the event `eventId` was made. */
export function roleAt({ role, former }: RoleHistory, eventId: number): Role {
  return former.find((one) => eventId <= one.toEventId)?.role ?? role
}
