import fc from 'fast-check'
import type { Person } from '../people.ts'
import type { ActionKind } from '../run.ts'

export interface CreateUser {
  readonly kind: 'create user'
  readonly actor: Person
}

export const createUser: ActionKind<CreateUser> = {
  kinds: ['create user'],
  weight: 1,
  any: fc.record({
    kind: fc.constant('create user' as const),
    actor: fc.constantFrom('owner', 'owner', 'admin', 'member'),
  }),
  async request(run, { actor }) {
    const name = run.server.unique('Newcomer')
    const email = `${name.toLowerCase().replaceAll(' ', '-')}@parley.example`
    const answer = await run.as(actor).post('/users', { email, password: 'correct horse', full_name: name })
    if (answer.status === 200) run.users.push(answer.body.user_id)
    return answer
  },
}
