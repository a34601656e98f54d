import fc from 'fast-check'
import type { Values } from '../deployment/account.ts'
import { kind } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'update-settings': () => ({ starred_message_counts: true }),
  'update-notification-settings': () => ({ enable_sounds: true }),
  'update-display-settings': () => ({ starred_message_counts: true }),
}

/** Those whose values are alike everywhere. */
const common = ['starred_message_counts', 'enter_sends', 'high_contrast_mode']
const many = {
  color_scheme: fc.constantFrom(1, 2, 3),
  default_language: fc.constantFrom('en', 'de'),
  // Switched off, the drafts are gone.
  enable_drafts_synchronization: fc.constantFrom(true, true, true, false),
  enable_sounds: fc.boolean(),
  timezone: fc.constantFrom('', 'Asia/Tokyo', 'Europe/Lisbon'),
  twenty_four_hour_time: fc.constantFrom(true, false, null),
  web_home_view: fc.constantFrom('inbox', 'recent', 'everything'),
}

export const actions = [
  kind<{ setting: Values }>(
    'change setting',
    3,
    ({ isOurs, observer }) => ({
      who: observer,
      setting: isOurs
        ? fc.record(many, { requiredKeys: [] })
        : fc.constantFrom(...[true, false].flatMap((value) => common.map((name) => ({ [name]: value })))),
    }),
    (world, { who, setting }) => world.person(who).call('update-settings', setting),
  ),
]
