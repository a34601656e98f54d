import type { Account } from './account.ts'
import type { Channel } from './deployment.ts'

/** A small world for requests that must succeed: two people in a channel with a message. */
export interface Scene {
  readonly user: Account
  readonly other: Account
  readonly channel: Channel
  readonly topic: string
  /** Sent by `user`. */
  readonly messageId: number
}

interface Maker {
  user(): Promise<Account>
  channel(creator: Account, others: readonly Account[]): Promise<Channel>
}

export async function makeScene(t: Maker): Promise<Scene> {
  const user = await t.user()
  const other = await t.user()
  const channel = await t.channel(user, [other])
  const topic = 'conformance'
  const sent = await user.must('send-message', { type: 'stream', to: channel.id, topic, content: 'A first message.' })
  return { user, other, channel, topic, messageId: Number(sent.body.id) }
}
