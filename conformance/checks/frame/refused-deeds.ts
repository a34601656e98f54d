import type { Account, Values } from '../../deployment/account.ts'
import type { Channel } from '../../deployment/leaving.ts'
import { idOfNothing } from '../../provocations/provocation.ts'

/** What exists before anything is refused. */
export interface RefusedStage {
  readonly admin: Account
  /** Has created `open` and `second`, and sent the first message. */
  readonly user: Account
  /** Subscribed to `open`, and has created `hidden`, which is private. */
  readonly other: Account
  readonly open: Channel
  readonly second: Channel
  readonly hidden: Channel
  /** In `open`: the user's and the other's. */
  readonly messages: readonly [number, number]
  /** A name that nothing has before a refused call. */
  readonly fresh: string
}

/** A call with one part that is possible, and one that is not. */
export interface RefusedDeed {
  readonly who: 'admin' | 'user' | 'other'
  readonly operation: string
  readonly values: Values
  /** Whether only Parley documents the limit that it exceeds. */
  readonly isOurs?: true
}

export interface RefusedRound {
  readonly name: string
  /**
   * Whether deployed servers are known to check everything before they do anything; elsewhere a part that was done is a
   * deviation.
   */
  readonly isSure: boolean
  deeds(stage: RefusedStage): readonly RefusedDeed[]
}

const long = (letter: string): string => letter.repeat(250)

/** By subject, so that a change shows which one failed. */
export const refusedRounds: readonly RefusedRound[] = [
  {
    name: 'channels are joined and left',
    isSure: true,
    deeds({ other, open, second, hidden, fresh }) {
      const [left, both] = [[second.name], [open.name, second.name]]
      return [
        ...[hidden.name, long('n')].map((name) => ({
          ...({ who: 'user', operation: 'update-subscriptions' } as const),
          values: { delete: left, add: [{ name }] },
        })),
        { ...{ who: 'user', operation: 'update-subscriptions' }, values: { delete: [fresh], add: [{ name: fresh }] } },
        { who: 'user', operation: 'unsubscribe', values: { subscriptions: [...both, fresh] } },
        {
          ...{ who: 'admin', operation: 'unsubscribe' },
          values: { subscriptions: [open.name], principals: [other.userId, idOfNothing] },
        },
        {
          ...{ who: 'user', operation: 'subscribe' },
          values: { subscriptions: [{ name: second.name }], principals: [other.userId, idOfNothing] },
        },
        {
          ...{ who: 'admin', operation: 'subscribe' },
          values: { subscriptions: [open, second, hidden].map(({ name }) => ({ name })) },
        },
      ]
    },
  },
  {
    name: 'accounts and settings are changed',
    isSure: true,
    deeds({ other, fresh }) {
      const settings = { who: 'user', operation: 'update-settings' } as const
      const right = { starred_message_counts: true }
      return [
        { ...settings, values: { ...right, color_scheme: 77 } },
        { ...settings, values: { ...right, full_name: long('f') } },
        { ...settings, values: { ...right, old_password: 'no such password 7', new_password: 'six winds meet 6' } },
        { ...settings, values: { full_name: fresh, timezone: 'Asia/Tokyo', enter_sends: 'perhaps' } },
        ...[100, 500].map((role) => ({
          ...({ who: 'admin', operation: 'update-user' } as const),
          values: { user_id_or_email: other.userId, full_name: fresh, role },
        })),
      ]
    },
  },
  {
    name: 'messages are sent and changed',
    isSure: true,
    deeds: ({ other, hidden, messages: [first], fresh: topic }) => [
      { who: 'other', operation: 'update-message', values: { message_id: first, topic, content: 'Not mine.' } },
      { who: 'user', operation: 'update-message', values: { message_id: first, topic, stream_id: hidden.id } },
      {
        ...{ who: 'user', operation: 'update-message' },
        values: { message_id: first, content: 'Moved.', stream_id: hidden.id },
      },
      {
        ...{ who: 'user', operation: 'send-message' },
        values: { type: 'direct', to: [other.userId, idOfNothing], content: 'To nobody.' },
      },
    ],
  },
  {
    name: 'what one has for oneself is changed',
    isSure: true,
    deeds: () => [
      { who: 'user', operation: 'add-alert-words', values: { alert_words: ['fine', long('w'), 'too'] } },
      { who: 'user', operation: 'update-own-status', values: { status_text: 'away', emoji_name: 'no_such_emoji' } },
      {
        ...{ who: 'user', operation: 'update-own-status', isOurs: true },
        values: { status_text: long('s'), emoji_name: 'tada' },
      },
    ],
  },
  {
    name: 'several settings of channels are changed',
    isSure: false, // what comes before the wrong part may already be done
    deeds({ open, second, hidden }) {
      const before = [
        { stream_id: open.id, property: 'pin_to_top', value: true },
        { stream_id: second.id, property: 'color', value: '#00ff7f' },
      ]
      const after = { stream_id: second.id, property: 'is_muted', value: true }
      return [
        { stream_id: open.id, property: 'color', value: 'red' },
        { stream_id: open.id, property: 'conformance', value: true },
        { stream_id: second.id, property: 'push_notifications', value: 'abc' },
        { stream_id: hidden.id, property: 'pin_to_top', value: true },
        { stream_id: idOfNothing, property: 'pin_to_top', value: true },
      ].map((wrong) => ({
        ...({ who: 'user', operation: 'update-subscription-settings' } as const),
        values: { subscription_data: [...before, wrong, after] },
      }))
    },
  },
  {
    name: 'accounts, new channels and what bots keep are changed',
    isSure: false,
    deeds({ other, hidden, fresh }) {
      return [
        {
          ...{ who: 'admin', operation: 'update-user' },
          values: { user_id_or_email: other.userId, role: 300, full_name: long('f') },
        },
        {
          ...{ who: 'user', operation: 'subscribe' },
          values: { subscriptions: [{ name: fresh }, { name: hidden.name }] },
        },
        {
          ...{ who: 'user', operation: 'update-bot-storage' },
          values: { storage: { kept: 'lost', [long('k')]: 'one' } },
        },
        { who: 'user', operation: 'remove-bot-storage', values: { keys: ['kept', fresh] } },
      ]
    },
  },
]
