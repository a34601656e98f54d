import fc from 'fast-check'
import type { Person } from '../people.ts'
import type { ActionKind, Run } from '../run.ts'
import { createUser } from './create-user.ts'

const manager = fc.constantFrom<Person[]>('owner', 'owner', 'admin', 'moderator')

export interface UpdateUser {
  readonly kind: 'update user'
  readonly actor: Person
  /** A number means an account that the run made. */
  readonly user: Person | number
  readonly role: number | undefined
  readonly name: string | undefined
}

export const updateUser: ActionKind<UpdateUser> = {
  kinds: ['update user'],
  weight: 8,
  any: fc.record({
    kind: fc.constant('update user' as const),
    actor: manager,
    user: fc.oneof(
      // Somebody who watches: most of what a role brings is told to nobody else.
      { weight: 4, arbitrary: fc.constantFrom<Person[]>('member', 'member', 'member', 'member2') },
      { weight: 1, arbitrary: fc.nat({ max: 5 }) },
    ),
    role: fc.constantFrom(undefined, 200, 200, 200, 300, 400, 400, 600),
    name: fc.constantFrom(undefined, 'Max Member', 'Other Name', 'Third Name'),
  }),
  async request(run, { actor, user, role, name: full_name }) {
    const id = typeof user === 'number' ? await newcomer(run, user) : run.as(user).userId
    return run.as(actor).request('PATCH', `/users/${id}`, { role, full_name })
  },
}

export interface ChangeActivity {
  readonly kind: 'deactivate user' | 'reactivate user'
  readonly actor: Person
  readonly user: number
  /** Which channel the account is brought into first, while it is in use. */
  readonly channel: number
}

/** Of accounts that do nothing themselves. */
export const changeActivity: ActionKind<ChangeActivity> = {
  kinds: ['deactivate user', 'reactivate user'],
  weight: 4,
  any: fc.record({
    kind: fc.constantFrom('deactivate user' as const, 'reactivate user' as const),
    actor: manager,
    user: fc.nat({ max: 2 }),
    channel: fc.nat({ max: 5 }),
  }),
  async request(run, { kind, actor, user, channel }) {
    const id = await newcomer(run, user)
    const name = run.channel(channel)?.name ?? 'no such channel'
    // Refused where the account is deactivated or the owner may not.
    await run.as('owner').post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [id] })
    if (kind === 'deactivate user') return run.as(actor).delete(`/users/${id}`)
    await run.as('owner').delete(`/users/${id}`)
    return run.as(actor).post(`/users/${id}/reactivate`)
  },
}

/** An account that the run made; the first one where there is none. */
async function newcomer(run: Run, number: number): Promise<number> {
  if (run.users.length === 0) await createUser.request(run, { kind: 'create user', actor: 'owner' })
  return run.users[number % run.users.length] ?? 2_000_000_000
}
