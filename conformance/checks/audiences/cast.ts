import type { Account } from '../../deployment/account.ts'
import { type Event, EventQueue } from '../../deployment/event-queue.ts'
import type { Channel } from '../../deployment/leaving.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { post, postTo } from '../../kernel/messaging.ts'
import { newPerson } from '../../kernel/people-of-roles.ts'

/** The listeners. `older` is the follower again, with a client without capabilities. */
export type Who = 'actor' | 'follower' | 'stranger' | 'guest' | 'bot' | 'admin' | 'older'

/** The people who listen, and the things they act on. */
export interface Cast {
  readonly t: CheckContext
  /** Does everything that does not need an administrator. */
  readonly actor: Account
  /** Subscribed to both channels. */
  readonly follower: Account
  /** Subscribed to neither channel. */
  readonly stranger: Account
  /** Subscribed to the open channel; absent if there is no guest. */
  readonly guest: Account | undefined
  /** Subscribed to the open channel; absent if there is no bot. */
  readonly bot: Account | undefined
  /** Subscribed to neither channel. */
  readonly admin: Account
  /** Does not listen: others change this account. */
  readonly subject: Account
  /** The account's address as others see it. */
  readonly address: string
  /** Whether guests receive events about the subject. */
  readonly isKnownToGuest: boolean
  readonly open: Channel
  readonly closed: Channel
  readonly topic: string
  /** The actor's messages: in the open channel, to the follower, and to the follower and the stranger. */
  readonly messageId: number
  readonly directId: number
  readonly groupId: number
}

/** The events of one queue, in order. */
export interface Listener {
  readonly who: Who
  readonly person: Account
  readonly queue: EventQueue
}

const capabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  stream_typing_notifications: true,
  archived_channels: true,
  empty_topic_name: true,
}

export async function makeCast(t: CheckContext): Promise<Cast> {
  const actor = await t.newUser()
  const follower = await t.newUser()
  const stranger = await t.newUser()
  const subject = await t.newUser()
  const admin = await newPerson(t, 'administrator')
  if (admin === undefined) return t.leaveOut('needs somebody who may make administrators')
  const open = await t.channel(actor, [follower])
  const closed = await t.channel(actor, [follower], true)
  const follows = async (person: Account | undefined): Promise<Account | undefined> => {
    if (person === undefined) return undefined
    const values = { subscriptions: [{ name: open.name }], principals: [person.userId] }
    return (await actor.call('subscribe', values)).status === 200 ? person : undefined
  }
  const guest = await follows(await newPerson(t, 'guest'))
  const bot = await follows(t.deployment.given.find(({ isBot }) => isBot))
  const known = await actor.must('get-user', { user_id_or_email: subject.userId })
  const seen = await guest?.call('get-user', { user_id_or_email: subject.userId })
  const topic = 'conformance'
  return {
    t,
    actor,
    follower,
    stranger,
    guest,
    bot,
    admin,
    subject,
    open,
    closed,
    topic,
    address: String(known.body.user.delivery_email ?? known.body.user.email),
    isKnownToGuest: seen?.status === 200,
    messageId: await post(actor, open, topic, 'Listen.'),
    directId: await postTo(actor, [follower], 'Only for you.'),
    groupId: await postTo(actor, [follower, stranger], 'Only for you two.'),
  }
}

/** Opens queues for all event types. */
export async function listenersOf(cast: Cast): Promise<readonly Listener[]> {
  const { actor, follower, stranger, guest, bot, admin } = cast
  const people = { actor, follower, stranger, guest, bot, admin, older: follower }
  const present = Object.entries(people).flatMap(([who, person]) => (person ? [[who as Who, person] as const] : []))
  return Promise.all(
    present.map(async ([who, person]) => {
      const known = who === 'older' ? {} : { client_capabilities: capabilities }
      return { who, person, queue: await EventQueue.open(person, { fetch_event_types: [], ...known }) }
    }),
  )
}

/** Whether the event announces the deed. */
export type Tells = (event: Event) => boolean
