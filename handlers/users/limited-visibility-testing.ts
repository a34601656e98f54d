import { SYSTEM_GROUP_ID } from '../../domain/user-groups/system-groups.ts'
import { type ApiClient, type Dialect, sharedParley, type TestServer } from '../../server/testing.ts'

/** Servers of organizations whose guests only see the users with whom they share a conversation. */
export function limitedParley(dialect: Dialect): () => Promise<TestServer> {
  return sharedParley(dialect, {}, { can_access_all_users_group: SYSTEM_GROUP_ID['role:members'] })
}

export async function newGuest(server: TestServer): Promise<ApiClient> {
  const guest = await server.newUser()
  await server.as('owner').must('PATCH', `/users/${guest.userId}`, { role: 600 })
  return guest
}

/** Creates a public channel of these people. @returns its name */
export async function newChannel(server: TestServer, people: readonly ApiClient[]): Promise<string> {
  const name = server.unique('Channel')
  await subscribe(server, name, people)
  const owner = server.as('owner')
  if (!people.some(({ userId }) => userId === owner.userId)) {
    await owner.must('DELETE', '/users/me/subscriptions', { subscriptions: [name] })
  }
  return name
}

export function subscribe(server: TestServer, name: string, people: readonly ApiClient[]): Promise<unknown> {
  const principals = people.map(({ userId }) => userId)
  return server.as('owner').must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
}

export function unsubscribe(server: TestServer, name: string, people: readonly ApiClient[]): Promise<unknown> {
  const principals = people.map(({ userId }) => userId)
  return server.as('owner').must('DELETE', '/users/me/subscriptions', { subscriptions: [name], principals })
}

/** The placeholder in lists of users for a user who is not visible to the viewer. */
export function unknownEntry({ url }: TestServer, { userId }: ApiClient) {
  const email = `user${userId}@${new URL(url).hostname}`
  return {
    user_id: userId,
    email,
    delivery_email: null,
    full_name: 'Unknown user',
    role: 400,
    is_owner: false,
    is_admin: false,
    is_guest: false,
    is_bot: false,
    is_active: true,
    is_imported_stub: false,
    timezone: '',
    date_joined: '1970-01-01T00:00:00+00:00',
    avatar_version: 1,
  }
}
