import assert from 'node:assert/strict'
import type { ApiClient, TestServer } from '../../server/testing.ts'

export const [NOBODY, MODERATORS, MEMBERS, EVERYONE] = [1, 4, 6, 7]
export const NO_ID = 2_000_000_000

/** The message of an error; `success` if there is none. */
export async function said(answer: ReturnType<ApiClient['post']>): Promise<string> {
  const { status, body } = await answer
  return status === 200 ? 'success' : body.msg
}

/** Capabilities of a client that knows deactivated groups. */
export const KNOWING = { notification_settings_null: true, include_deactivated_groups: true }
/** Capabilities of a client that does not. */
const UNKNOWING = { notification_settings_null: true }

/** Helpers for the tests of groups. */
export function groupTools(parley: () => Promise<TestServer>) {
  /** Returns a function that returns the new events since its last call. */
  const listen = async (user: ApiClient, client_capabilities: object = KNOWING) => {
    const events = await user.listen(['user_group'], { client_capabilities })
    return async () => (await events()).map(({ type: _, ...event }) => event)
  }
  const listed = async (user: ApiClient, id: number, client_capabilities: object = UNKNOWING) => {
    const parameters = { event_types: [], fetch_event_types: ['realm_user_groups'], client_capabilities }
    const { realm_user_groups: groups } = await user.must('POST', '/register', parameters)
    return groups.find((group: { id: number }) => group.id === id)
  }
  const create = async (user: ApiClient, parameters: Record<string, unknown> = {}) =>
    user.post('/user_groups/create', {
      name: (await parley()).unique('Crew'),
      description: 'Who is here',
      members: [],
      ...parameters,
    })
  const make = async (user: ApiClient, parameters: Record<string, unknown> = {}): Promise<number> => {
    const { status, body } = await create(user, parameters)
    assert.equal(status, 200, JSON.stringify(body))
    return body.group_id
  }
  const change = (user: ApiClient, id: number, parameters: Record<string, unknown>) =>
    user.post(`/user_groups/${id}/members`, parameters)
  const patch = (user: ApiClient, id: number, parameters: Record<string, unknown>) =>
    user.request('PATCH', `/user_groups/${id}`, parameters)
  const deactivate = (user: ApiClient, id: number) => user.post(`/user_groups/${id}/deactivate`)
  return { listen, listed, create, make, change, patch, deactivate }
}
