import type { Answer, ApiClient, TestServer } from '../../server/testing.ts'

/** Sends to #general, unless `more` says otherwise. @returns the id of the message */
export function send(client: ApiClient, content = 'x', more: Record<string, unknown> = {}): Promise<number> {
  return client.send('general', content, { topic: 'e', ...more })
}

export const edit = (client: ApiClient, id: number, parameters: Record<string, unknown>) =>
  client.patch(`/messages/${id}`, parameters)

/** Returns the message with its raw content. */
export async function read(client: ApiClient, id: number, parameters: Record<string, unknown> = {}) {
  return (await client.must('GET', `/messages/${id}`, { apply_markdown: false, ...parameters })).message
}

/** Returns the new events since its last call. */
export type Listening = () => Promise<Record<string, unknown>[]>

/** Registers for these types of events, with all relevant capabilities unless `capable` is false. */
export function listen(client: ApiClient, types: readonly string[], capable = true): Promise<Listening> {
  const names = ['notification_settings_null', 'bulk_message_deletion', 'empty_topic_name', 'archived_channels']
  return client.listen(types, {
    client_capabilities: Object.fromEntries(names.map((name, index) => [name, index === 0 || capable])),
  })
}

/** Makes messages older by this number of seconds. */
export function age(server: TestServer, ids: readonly number[], seconds: number): Promise<void> {
  return server.inDatabase(async (session) =>
    session.run(`update message set sent_at = sent_at - ? where id in (${ids.join()})`, [seconds]),
  )
}

/** The messages of a topic that are visible to the client, oldest first. */
export function topicOf(client: ApiClient, channel: string, topic: string): Promise<Answer['body'][]> {
  return client.newest([
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: topic },
  ])
}

const NOTICES = 'Notification Bot'

export async function sendAll(client: ApiClient, to: string, topic: string, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let left = count; left > 0; left -= 1) ids.push(await send(client, `message ${left}`, { to, topic }))
  return ids
}

export async function topics(client: ApiClient, channelId: number, allow_empty_topic_name = true): Promise<string[]> {
  const { topics } = await client.must('GET', `/users/me/${channelId}/topics`, { allow_empty_topic_name })
  return topics.map(({ name }: { name: string }) => name)
}

export async function idsIn(client: ApiClient, channel: string, topic: string): Promise<number[]> {
  const messages = await topicOf(client, channel, topic)
  return messages.filter((one) => one.sender_full_name !== NOTICES).map(({ id }) => id)
}

export async function noticesIn(client: ApiClient, channel: string, topic: string): Promise<string[]> {
  const messages = await topicOf(client, channel, topic)
  return messages.filter((one) => one.sender_full_name === NOTICES).map(({ content }) => content)
}

export interface Ground {
  readonly server: TestServer
  readonly mover: ApiClient
  readonly other: ApiClient
  readonly to: string
  readonly channelId: number
}

/** Creates a separate channel with two members for each test. */
export function groundOf(parley: () => Promise<TestServer>): () => Promise<Ground> {
  return async () => {
    const server = await parley()
    const [mover, other] = [server.as('member'), server.as('member2')]
    const { name: to, id: channelId } = await server.newChannel([mover, other])
    return { server, mover, other, to, channelId }
  }
}
