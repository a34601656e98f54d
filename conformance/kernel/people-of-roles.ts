import { type Account, type PersonRole, personRoles, roleCodes } from '../deployment/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { Exchange } from '../wire/http.ts'
import type { CheckContext } from './check-context.ts'

const shared = new WeakMap<Deployment, Promise<ReadonlyMap<PersonRole, Account>>>()

/**
 * One person of each role, shared for the whole run by all checks; given accounts where none can be created. Roles that
 * nobody can get are missing.
 */
export function peopleOfRoles(t: CheckContext): Promise<ReadonlyMap<PersonRole, Account>> {
  const people = shared.get(t.deployment) ?? makePeople(t)
  shared.set(t.deployment, people)
  return people
}

/** One person of each role below administrator; remarks on roles that nobody can get. */
export async function belowAdministrator(t: CheckContext): Promise<Account[]> {
  const people = await peopleOfRoles(t)
  return (['guest', 'member', 'moderator'] as const).flatMap((role) => {
    const person = people.get(role)
    if (person === undefined) t.remarks.add(`nobody has the role ${role}, and nobody can be given it`)
    return person ?? []
  })
}

/** A guest, who must get every event that everybody gets; a member where nobody can become a guest. */
export async function anybody(t: CheckContext): Promise<Account> {
  const people = await peopleOfRoles(t)
  return people.get('guest') ?? (await t.scene()).user
}

async function makePeople(t: CheckContext): Promise<ReadonlyMap<PersonRole, Account>> {
  const people = new Map<PersonRole, Account>()
  for (const role of personRoles) {
    const person = (await newPerson(t, role)) ?? t.deployment.given.find((one) => !one.isBot && one.role === role)
    if (person !== undefined) people.set(role, person)
  }
  return people
}

/** A new person with this role; undefined if nobody can be created or given the role. */
export async function newPerson(t: CheckContext, role: PersonRole): Promise<Account | undefined> {
  const maker = t.deployment.atLeast(role === 'owner' ? 'owner' : 'administrator')
  const member = maker && (await t.deployment.newUser())
  if (maker === undefined || member === undefined || role === 'member') return member
  const change = (): Promise<Exchange> =>
    maker.call('update-user', { user_id_or_email: member.userId, role: roleCodes[role] })
  const changed = await (role === 'owner' ? t.deployment.whileOwnersStay(change) : change())
  return changed.status === 200 ? member.withRole(role) : undefined
}
