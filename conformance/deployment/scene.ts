import type { Operation } from '../wire/contract.ts'
import type { Account } from './account.ts'
import { described } from './described.ts'
import type { Channel } from './leaving.ts'

/** The things that requests need to succeed: two people in a channel with a message. */
export interface Scene {
  readonly user: Account
  /** @throws {LeftOutError} if the credentials have one person only, who is then alone in the channel */
  readonly other: Account
  /** The people in the scene. */
  readonly people: readonly Account[]
  readonly channel: Channel
  readonly topic: string
  /** Sent by `user`. */
  readonly messageId: number
}

/** The scene that checks use one after the other. */
export interface Scenes {
  current: Promise<Scene> | undefined
}

interface Maker {
  user(): Promise<Account>
  userIfAny(): Promise<Account | undefined>
  nobodyElse(): never
  channel(creator: Account, others: readonly Account[]): Promise<Channel>
}

/**
 * If switched off, these make a server refuse or ignore requests. A given account may have any value, a new one has the
 * defaults.
 */
const neededSettings = {
  enable_drafts_synchronization: true,
  presence_enabled: true,
  send_private_typing_notifications: true,
  send_stream_typing_notifications: true,
  send_read_receipts: true,
}
const unsettling = new Set(['full_name', ...Object.keys(neededSettings)])
/** State of a person that changes which events others, or checks, get. */
const ownState = ['alert_words', 'muted_users', 'user_status']

/** Whether a successful request may leave its sender in a state that other checks do not expect. */
export function mayUnsettle({ parameters }: Operation): boolean {
  return parameters.some(({ name }) => unsettling.has(name))
}

/** Restores a person's name, and sets the settings that checks need. */
export async function settle(person: Account): Promise<void> {
  const { status, body } = await person.call('get-own-user')
  const isRenamed = status === 200 && body?.full_name !== person.fullName
  await person.call('update-settings', { ...neededSettings, ...(isRenamed && { full_name: person.fullName }) })
}

/** Like `settle`, for a person who existed before the run: also removes state that a new person would not have. */
export async function settleGiven(person: Account): Promise<void> {
  await settle(person)
  const { body } = await described(person, ownState)
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
