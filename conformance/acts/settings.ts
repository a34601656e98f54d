import fc from 'fast-check'
import { kind, ourKind } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'update-settings': () => ({ starred_message_counts: true }),
  'update-realm-user-settings-defaults': () => ({}),
  'update-notification-settings': () => ({ enable_sounds: true }),
  'update-display-settings': () => ({ starred_message_counts: true }),
}

/** Values of `email_address_visibility`. `moderators` includes everybody above them. */
export const addressFor = { everybody: 1, members: 2, administrators: 3, nobody: 4, moderators: 5 } as const

/** Settings whose values are the same on all servers. */
const common = ['starred_message_counts', 'enter_sends', 'high_contrast_mode']
const many = {
  color_scheme: fc.constantFrom(1, 2, 3),
  default_language: fc.constantFrom('en', 'de'),
  // Switching it off deletes the drafts.
  enable_drafts_synchronization: fc.constantFrom(true, true, true, false),
  enable_sounds: fc.boolean(),
  timezone: fc.constantFrom('', 'Asia/Tokyo', 'Europe/Lisbon'),
  twenty_four_hour_time: fc.constantFrom(true, false, null),
  web_home_view: fc.constantFrom('inbox', 'recent', 'everything'),
}

const { default_language: _, timezone: __, ...ofNewAccounts } = many

export const actions = [
  ourKind(
    'change settings of new accounts',
    ({ manager }) => ({ by: manager, setting: fc.record(ofNewAccounts, { requiredKeys: [] }) }),
    (world, { by, setting }) => world.manager(by)?.call('update-realm-user-settings-defaults', setting),
  ),
  kind(
    'change setting',
    ({ isOurs, observer }) => ({
      who: observer,
      setting: isOurs
        ? fc.record(many, { requiredKeys: [] })
        : fc.constantFrom(...[true, false].flatMap((value) => common.map((name) => ({ [name]: value })))),
    }),
    (world, { who, setting }) => world.person(who).call('update-settings', setting),
    { weight: 3 },
  ),
]
