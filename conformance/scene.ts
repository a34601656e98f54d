import type { Account } from './account.ts'
import type { Channel } from './deployment.ts'

/** A small world for requests that must succeed: two people in a channel with a message. */
export interface Scene {
  readonly user: Account
  /** @throws LeftOutError where the credentials have one person only, who is then alone in the channel */
  readonly other: Account
  /** Who is there. */
  readonly people: readonly Account[]
  readonly channel: Channel
  readonly topic: string
  /** Sent by `user`. */
  readonly messageId: number
}

interface Maker {
  user(): Promise<Account>
  userIfAny(): Promise<Account | undefined>
  nobodyElse(): never
  channel(creator: Account, others: readonly Account[]): Promise<Channel>
}

/** Off, these make a server refuse or ignore requests; a given person may have any, a new one those of the organization. */
const settings = {
  presence_enabled: true,
  send_private_typing_notifications: true,
  send_stream_typing_notifications: true,
  send_read_receipts: true,
}

export async function makeScene(t: Maker): Promise<Scene> {
  const user = await t.user()
  const second = await t.userIfAny()
  const others = second === undefined ? [] : [second]
  for (const person of [user, ...others]) await person.call('update-settings', settings)
  const channel = await t.channel(user, others)
  const topic = 'conformance'
  const sent = await user.must('send-message', { type: 'stream', to: channel.id, topic, content: 'A first message.' })
  return {
    user,
    get other() {
      return second ?? t.nobodyElse()
    },
    people: [user, ...others],
    channel,
    topic,
    messageId: Number(sent.body.id),
  }
}
