import assert from 'node:assert/strict'
import type { ApiClient, TestServer } from '../../server/testing.ts'

/** @returns the id of a message in #general, unless `more` says otherwise */
export async function send(client: ApiClient, content = 'x', more: Record<string, unknown> = {}): Promise<number> {
  const { id } = await client.must('POST', '/messages', {
    type: 'channel',
    to: 'general',
    topic: 'e',
    content,
    ...more,
  })
  return id
}

export const edit = (client: ApiClient, id: number, parameters: Record<string, unknown>) =>
  client.patch(`/messages/${id}`, parameters)

/** The message as its author wrote it. */
export async function read(client: ApiClient, id: number, parameters: Record<string, unknown> = {}) {
  return (await client.must('GET', `/messages/${id}`, { apply_markdown: false, ...parameters })).message
}

/** A channel with these people, made by the first. */
export async function newChannel(server: TestServer, people: readonly ApiClient[], more: Record<string, unknown> = {}) {
  const name = server.unique('Edits')
  const [maker] = people
  assert(maker)
  await maker.must('POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: people.map((one) => one.userId),
    ...more,
  })
  return name
}
