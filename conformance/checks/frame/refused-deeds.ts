import type { Account, Values } from '../../deployment/account.ts'
import type { Channel } from '../../deployment/leaving.ts'
import { idOfNothing } from '../../provocations/provocation.ts'

/** The state before the first refused call. */
export interface RefusedStage {
  readonly admin: Account
  /** Creator of `open` and `second`, and sender of the first message. */
  readonly user: Account
  /** Subscribed to `open`; creator of `hidden`, which is private. */
  readonly other: Account
  readonly open: Channel
  readonly second: Channel
  readonly hidden: Channel
  /** In `open`: one of the user's, and one of the other's. */
  readonly messages: readonly [number, number]
  /** A name that does not exist before a refused call. */
  readonly fresh: string
}

/** A call with a possible part and an impossible one. */
export interface RefusedDeed {
  readonly who: 'admin' | 'user' | 'other'
  readonly operation: string
  readonly values: Values
  /** Whether only Parley documents the limit that the call exceeds. */
  readonly isOurs?: true
}

export interface RefusedRound {
  readonly name: string
  /** Whether deployed servers are known to check everything first. Otherwise a partial change is a deviation. */
  readonly isSure: boolean
  deeds(stage: RefusedStage): readonly RefusedDeed[]
}

const long = (letter: string): string => letter.repeat(250)

function deed(who: RefusedDeed['who'], operation: string, values: Values): RefusedDeed {
  return { who, operation, values }
}

/** Grouped by subject, so that a change shows which call failed. */
export const refusedRounds: readonly RefusedRound[] = [
  {
    name: 'channels are joined and left',
    isSure: true,
    deeds({ other, open, second, hidden, fresh }) {
      const named = (...names: string[]) => names.map((name) => ({ name }))
      const [left, principals] = [[second.name], [other.userId, idOfNothing]]
      return [
        deed('user', 'update-subscriptions', { delete: left, add: named(hidden.name) }),
        deed('user', 'update-subscriptions', { delete: left, add: named(long('n')) }),
        deed('user', 'update-subscriptions', { delete: [fresh], add: named(fresh) }),
        deed('user', 'unsubscribe', { subscriptions: [open.name, second.name, fresh] }),
        deed('admin', 'unsubscribe', { subscriptions: [open.name], principals }),
        deed('user', 'subscribe', { subscriptions: named(second.name), principals }),
        deed('admin', 'subscribe', { subscriptions: named(open.name, second.name, hidden.name) }),
      ]
    },
  },
  {
    name: 'accounts and settings are changed',
    isSure: true,
    deeds({ other, fresh }) {
      const right = { starred_message_counts: true }
      const account = { user_id_or_email: other.userId, full_name: fresh }
      const passwords = { old_password: 'no such password 7', new_password: 'six winds meet 6' }
      return [
        deed('user', 'update-settings', { ...right, color_scheme: 77 }),
        deed('user', 'update-settings', { ...right, full_name: long('f') }),
        deed('user', 'update-settings', { ...right, ...passwords }),
        deed('user', 'update-settings', { full_name: fresh, timezone: 'Asia/Tokyo', enter_sends: 'perhaps' }),
        ...[100, 500].map((role) => deed('admin', 'update-user', { ...account, role })),
      ]
    },
  },
  {
    name: 'messages are sent and changed',
    isSure: true,
    deeds({ other, hidden, messages: [message_id], fresh: topic }) {
      const direct = { type: 'direct', to: [other.userId, idOfNothing] }
      return [
        deed('other', 'update-message', { message_id, topic, content: 'Not mine.' }),
        deed('user', 'update-message', { message_id, topic, stream_id: hidden.id }),
        deed('user', 'update-message', { message_id, content: 'Moved.', stream_id: hidden.id }),
        deed('user', 'send-message', { ...direct, content: 'To nobody.' }),
      ]
    },
  },
  {
    name: 'personal things are changed',
    isSure: true,
    deeds: () => [
      deed('user', 'add-alert-words', { alert_words: ['fine', long('w'), 'too'] }),
      deed('user', 'update-own-status', { status_text: 'away', emoji_name: 'no_such_emoji' }),
      { ...deed('user', 'update-own-status', { status_text: long('s'), emoji_name: 'tada' }), isOurs: true },
    ],
  },
  {
    name: 'several settings of channels are changed',
    isSure: false, // parts before the wrong one may take effect
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
      ].map((wrong) => deed('user', 'update-subscription-settings', { subscription_data: [...before, wrong, after] }))
    },
  },
  {
    name: 'accounts, new channels and bot storage are changed',
    isSure: false,
    deeds: ({ other, hidden, fresh }) => [
      deed('admin', 'update-user', { user_id_or_email: other.userId, role: 300, full_name: long('f') }),
      deed('user', 'subscribe', { subscriptions: [{ name: fresh }, { name: hidden.name }] }),
      deed('user', 'update-bot-storage', { storage: { kept: 'lost', [long('k')]: 'one' } }),
      deed('user', 'remove-bot-storage', { keys: ['kept', fresh] }),
    ],
  },
]
