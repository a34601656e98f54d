import type { Operation } from '../wire/contract.ts'
import type { Account } from './account.ts'
import type { Channel } from './leaving.ts'

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

/** Switched off, these make a server refuse or ignore requests; a given person may have any, a new one the defaults. */
const neededSettings = {
  enable_drafts_synchronization: true,
  presence_enabled: true,
  send_private_typing_notifications: true,
  send_stream_typing_notifications: true,
  send_read_receipts: true,
}
const unsettling = new Set(['full_name', ...Object.keys(neededSettings)])
/** What belongs to a person and changes what others, or checks, hear of them. */
const ownState = ['alert_words', 'muted_users', 'user_status']

/** Whether a successful request may leave its sender in a state that other checks do not expect. */
export function mayUnsettle({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => unsettling.has(name))
}

/** Gives a person their name back, and the settings that checks want. */
export async function settle(person: Account): Promise<void> {
  const { status, body } = await person.call('get-own-user')
  const isRenamed = status === 200 && body?.full_name !== person.fullName
  await person.call('update-settings', { ...neededSettings, ...(isRenamed && { full_name: person.fullName }) })
}

/** The same of a person who was there before, and takes from them what a new one would not have. */
export async function settleGiven(person: Account): Promise<void> {
  await settle(person)
  const { body } = await person.must('register-queue', { fetch_event_types: ownState, event_types: ['alert_words'] })
  await person.must('delete-queue', { queue_id: body.queue_id })
  if (body.alert_words?.length > 0) await person.call('remove-alert-words', { alert_words: body.alert_words })
  for (const { id } of body.muted_users ?? []) await person.call('unmute-user', { muted_user_id: id })
  if (body.user_status?.[person.userId] === undefined) return
  await person.call('update-own-status', { status_text: '', emoji_name: '', away: false })
}

export async function makeScene(t: Maker): Promise<Scene> {
  const user = await t.user()
  const second = await t.userIfAny()
  const others = second === undefined ? [] : [second]
  for (const person of [user, ...others]) await settle(person)
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
