import fc from 'fast-check'
import { PEOPLE, type Person } from '../people.ts'
import type { ActionKind } from '../run.ts'

const HUMANS = PEOPLE.filter((person) => person !== 'bot')

export interface ChangeSettings {
  readonly kind: 'change settings'
  readonly actor: Person
  readonly settings: Readonly<Record<string, unknown>>
}

export const changeSettings: ActionKind<ChangeSettings> = {
  kinds: ['change settings'],
  weight: 2,
  any: fc.record({
    kind: fc.constant('change settings' as const),
    actor: fc.constantFrom(...HUMANS),
    settings: fc.record(
      {
        color_scheme: fc.constantFrom(1, 2, 3),
        default_language: fc.constantFrom('en', 'de'),
        // Switched off, the drafts are gone.
        enable_drafts_synchronization: fc.constantFrom(true, true, true, false),
        enable_sounds: fc.boolean(),
        timezone: fc.constantFrom('', 'Asia/Tokyo', 'Europe/Lisbon'),
        twenty_four_hour_time: fc.constantFrom(true, false, null),
        web_home_view: fc.constantFrom('inbox', 'recent', 'everything'),
      },
      { requiredKeys: [] },
    ),
  }),
  request: (run, { actor, settings }) => run.as(actor).request('PATCH', '/settings', settings),
}

export interface ChangeAlertWords {
  readonly kind: 'add alert words' | 'remove alert words'
  readonly actor: Person
  readonly words: readonly string[]
}

/** Words of the messages that are sent, and one that is not in them. */
export const changeAlertWords: ActionKind<ChangeAlertWords> = {
  kinds: ['add alert words', 'remove alert words'],
  weight: 3,
  any: fc.record({
    kind: fc.constantFrom('add alert words' as const, 'add alert words' as const, 'remove alert words' as const),
    actor: fc.constantFrom(...PEOPLE),
    words: fc.subarray(['hello', 'LOOK', 'is not', 'code', 'nowhere'], { minLength: 1 }),
  }),
  request: (run, { kind, actor, words: alert_words }) =>
    run.as(actor)[kind === 'add alert words' ? 'post' : 'delete']('/users/me/alert_words', { alert_words }),
}

export interface MuteUser {
  readonly kind: 'mute user' | 'unmute user'
  readonly actor: Person
  readonly other: Person
}

export const muteUser: ActionKind<MuteUser> = {
  kinds: ['mute user', 'unmute user'],
  weight: 3,
  any: fc.record({
    kind: fc.constantFrom('mute user' as const, 'unmute user' as const),
    // Few pairs, so that what is muted is unmuted.
    actor: fc.constantFrom('member', 'guest', 'bot'),
    other: fc.constantFrom('owner', 'member'),
  }),
  request: (run, { kind, actor, other }) =>
    run.as(actor)[kind === 'mute user' ? 'post' : 'delete'](`/users/me/muted_users/${run.as(other).userId}`),
}

export interface ReportPresence {
  readonly kind: 'report presence'
  readonly actor: Person
  readonly status: 'active' | 'idle'
}

export const reportPresence: ActionKind<ReportPresence> = {
  kinds: ['report presence'],
  weight: 2,
  any: fc.record({
    kind: fc.constant('report presence' as const),
    actor: fc.constantFrom(...PEOPLE),
    status: fc.constantFrom('active' as const, 'idle' as const),
  }),
  request: (run, { actor, status }) => run.as(actor).post('/users/me/presence', { status }),
}
