import type { Json } from '../wire/values.ts'
import type { Agreement } from './agreement.ts'
import { ask, seesEverybody, type Viewer } from './viewer.ts'

/** Users are the same in every list, by id, by address, and for themselves. */
export async function usersAgree(viewer: Viewer, agreement: Agreement): Promise<void> {
  const { t, world, registered, client, person } = viewer
  const ours = world.userIds()
  const client_gravatar = client.client_gravatar ?? true
  const [all, some, me] = await Promise.all([
    ask(viewer, 'get-users', { client_gravatar, include_custom_profile_fields: true }),
    t.level >= 384 ? ask(viewer, 'get-users', { client_gravatar, user_ids: [...ours] }) : undefined,
    ask(viewer, 'get-own-user'),
  ])
  const listed = new Map<number, Json>(ofWorld(all?.body.members, ours))
  for (const [exchange, where, users] of [
    [registered, '`realm_users`', ofWorld(registered.body.realm_users, ours)],
    [registered, '`realm_non_active_users`', ofWorld(registered.body.realm_non_active_users, ours)],
    [some, 'GET /users with `user_ids`', ofWorld(some?.body.members, ours)],
  ] as const) {
    if (exchange === undefined) continue
    for (const [id, user] of users)
      agreement.sameFields(exchange, `user ${id} in ${where}`, user, listed.get(id), 'GET /users')
  }
  if (some !== undefined && seesEverybody(viewer)) {
    const ids = some.body.members.map(({ user_id: id }: Json) => id)
    agreement.sameSet(some, 'the set of users asked for', ids, [...listed.keys()], 'GET /users')
  }
  activityAgrees(viewer, listed, agreement)
  // An address is the same for everybody who asks by it; how much an answer says about an avatar depends on the
  // operation.
  if (me) agreement.sameFields(me, 'the caller', me.body, listed.get(person.userId), 'GET /users', ['avatar_url'])
  await Promise.all([...listed].map(([id, user]) => userAgrees(viewer, id, user, agreement)))
}

function ofWorld(users: readonly Json[] = [], ours: ReadonlySet<number>): [number, Json][] {
  return users.filter(({ user_id: id }) => ours.has(id)).map((user) => [user.user_id, user])
}

/** Active accounts are among the users, all others among the deactivated ones. */
function activityAgrees(viewer: Viewer, listed: ReadonlyMap<number, Json>, agreement: Agreement): void {
  const { registered, world } = viewer
  const ours = world.userIds()
  for (const [name, isActive] of [
    ['realm_users', true],
    ['realm_non_active_users', false],
  ] as const) {
    const ids = ofWorld(registered.body[name], ours).map(([id]) => id)
    const there = [...listed].filter(([, user]) => (user.is_active ?? true) === isActive).map(([id]) => id)
    if (seesEverybody(viewer))
      agreement.sameSet(registered, `the set of users in \`${name}\``, ids, there, 'GET /users')
  }
}

async function userAgrees(viewer: Viewer, id: number, user: Json, agreement: Agreement): Promise<void> {
  const client_gravatar = viewer.client.client_gravatar ?? true
  const values = { client_gravatar, include_custom_profile_fields: true }
  const addresses = user.is_active !== false ? [id, user.email] : [id]
  for (const user_id_or_email of addresses) {
    const alone = await ask(viewer, 'get-user', { user_id_or_email, ...values })
    if (alone === undefined) continue
    agreement.same(alone, '`user_id`', alone.body.user.user_id, id, 'GET /users')
    agreement.sameFields(alone, `user ${id}`, alone.body.user, user, 'GET /users')
  }
}
