import { type Account, operationNamed, type Values } from '../deployment/account.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { listen } from '../kernel/listening.ts'
import { belowAdministrator } from '../kernel/people-of-roles.ts'
import { parameterAt } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { canonical, type Json, listOf } from '../wire/values.ts'
import { by, refuses, succeeds } from './outcomes.ts'
import { onlyAdministrators } from './users.ts'

/** In the order of DEFAULTS-BOOL-1 to DEFAULTS-BOOL-40. */
const switches = [
  ...['starred_message_counts', 'receives_typing_notifications', 'web_suggest_update_timezone', 'fluid_layout_width'],
  ...['high_contrast_mode', 'enable_drafts_synchronization', 'translate_emoticons', 'display_emoji_reaction_users'],
  ...['web_escape_navigates_to_home_view', 'left_side_userlist', 'hide_ai_features', 'web_inbox_show_channel_folders'],
  ...['web_left_sidebar_show_channel_folders', 'web_left_sidebar_unreads_count_summary'],
  ...['enable_stream_desktop_notifications', 'enable_stream_email_notifications', 'enable_stream_push_notifications'],
  ...['enable_stream_audible_notifications', 'enable_desktop_notifications', 'enable_sounds'],
  ...['enable_followed_topic_desktop_notifications', 'enable_followed_topic_email_notifications'],
  ...['enable_followed_topic_push_notifications', 'enable_followed_topic_audible_notifications'],
  ...['enable_offline_email_notifications', 'enable_offline_push_notifications', 'enable_online_push_notifications'],
  ...['enable_digest_emails', 'message_content_in_email_notifications', 'pm_content_in_desktop_notifications'],
  ...['wildcard_mentions_notify', 'enable_followed_topic_wildcard_mentions_notify'],
  ...['automatically_follow_topics_where_mentioned', 'presence_enabled', 'enter_sends', 'twenty_four_hour_time'],
  ...['send_private_typing_notifications', 'send_stream_typing_notifications', 'send_read_receipts'],
  'web_navigate_to_sent_message',
]

/** With the maximum of each; the minimum is always 1. In the order of DEFAULTS-INT-1 to DEFAULTS-INT-11. */
const choices: readonly (readonly [name: string, most: number])[] = [
  ['web_mark_read_on_scroll_policy', 3],
  ['web_channel_default_view', 4],
  ['color_scheme', 3],
  ['demote_inactive_streams', 3],
  ['user_list_style', 3],
  ['web_stream_unreads_count_display_policy', 3],
  ['desktop_icon_count_display', 4],
  ['realm_name_in_email_notifications_policy', 3],
  ['automatically_follow_topics_policy', 4],
  ['automatically_unmute_topics_in_muted_streams_policy', 4],
  ['email_address_visibility', 5],
]

/** In the order of DEFAULTS-INT-12 to DEFAULTS-INT-14. */
const numbers: readonly (readonly [name: string, value: number])[] = [
  ['web_font_size_px', 14],
  ['web_line_height_percent', 120],
  // The last round has the largest value.
  ['email_notifications_batching_period_seconds', 604_796],
]

/** In the order of DEFAULTS-STR-1 to DEFAULTS-STR-4. */
const words: readonly (readonly [name: string, words: readonly string[]])[] = [
  ['web_home_view', ['recent', 'inbox', 'all_messages']],
  ['emojiset', ['google', 'twitter', 'text']],
  ['web_animate_image_previews', ['always', 'on_hover', 'never']],
  ['resolved_topic_notice_auto_read_policy', ['always', 'except_followed', 'never']],
]

const sound = 'notification_sound'
const batching = 'email_notifications_batching_period_seconds'

const base = { area: 'PATCH /realm/user_settings_defaults' } as const
const operation = 'update-realm-user-settings-defaults'

export const checks: readonly WrittenCheck[] = [
  {
    ...base,
    id: 'new-account-settings/refused',
    isCostly: true,
    title: 'invalid default settings of new accounts are refused, and change nothing',
    requirements: [
      ...['AUTH-8', 'DEFAULTS-1', 'DEFAULTS-4', 'DEFAULTS-5', 'DEFAULTS-7', 'DEFAULTS-8', 'DEFAULTS-9'],
      ...['DEFAULTS-INT-15', 'DEFAULTS-STR-6', 'REC-11'],
    ],
    run: refusals,
  },
  {
    id: 'new-account-settings/set',
    title: 'new accounts have the default settings of the organization, and existing accounts keep theirs',
    requirements: [
      ...ids('DEFAULTS', [2, 3, 4, 6, 10]),
      ...ids(
        'DEFAULTS-BOOL',
        [...Array(41).keys()].map((index) => index + 1),
      ),
      ...ids('DEFAULTS-INT', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]),
      ...ids('DEFAULTS-STR', [1, 2, 3, 4, 5]),
      'EV-REALMUSER-15',
    ],
    isForAll: true,
    run: (t) => t.unlessDisturbed(() => newSettings(t)),
  },
]

async function refusals(t: CheckContext): Promise<void> {
  const admin = t.person('administrator')
  const before = (await defaultsOf(admin)).defaults
  const change = (values: Values): Promise<Exchange> => admin.call(operation, values)
  for (const person of await belowAdministrator(t)) {
    for (const id of ['AUTH-8', 'DEFAULTS-1']) onlyAdministrators(t, id, await person.call(operation))
  }
  const empty = await change({})
  t.that('DEFAULTS-4', empty, empty.status === 200, 'a success: every parameter may be left out')
  const ignored = await change({ no_such_setting: true, timezone: 'Europe/Lisbon' })
  const names = listOf(ignored.body?.ignored_parameters_unsupported)
  const areBoth = names.toSorted().join() === 'no_such_setting,timezone'
  t.that('DEFAULTS-7', ignored, areBoth, 'both names as ignored: neither is a setting of new accounts')
  for (const name of switches.filter((one) => one in before)) {
    refuses(by(t, 'DEFAULTS-5'), await change({ [name]: 'yes' }), `\`${name}\` is true or false`)
  }
  for (const [name, most] of choices.filter(([one]) => one in before)) {
    for (const value of [0, knownOf(t, name, upTo(most)).length + 1]) {
      const refused = await change({ [name]: value })
      for (const id of ['DEFAULTS-8', 'REC-11']) {
        refuses(by(t, id), refused, `\`${name}\` is one of 1 to ${most}`)
      }
    }
  }
  for (const [name] of words.filter(([one]) => one in before)) {
    refuses(
      by(t, 'DEFAULTS-9'),
      await change({ [name]: 'apple' }),
      `the value of \`${name}\` is not one of the contract’s`,
    )
  }
  for (const value of [0, 604_801]) {
    t.refusedWith(
      'DEFAULTS-INT-15',
      await change({ [batching]: value }),
      `Invalid email batching period: ${value} seconds`,
    )
  }
  t.refusedWith('DEFAULTS-STR-6', await change({ [sound]: 'no such' }), "Invalid notification sound 'no such'")
}

const upTo = (most: number): readonly number[] => Array.from({ length: most }, (_, index) => index + 1)

/** Those of the values of a setting that the server's level has. */
function knownOf<Value>({ deployment, level }: CheckContext, setting: string, all: readonly Value[]): readonly Value[] {
  const parameter = operationNamed(deployment.contract, operation).parameters.find(({ name }) => name === setting)
  const listed = parameter && parameterAt(parameter, level).schema.enum
  return listed === undefined ? all : all.filter((value) => listed.includes(value))
}

function* wanted(
  t: CheckContext,
  before: Json,
  round: number,
): Generator<readonly [id: string, name: string, value: unknown]> {
  for (const [index, name] of switches.entries()) {
    yield [`DEFAULTS-BOOL-${index + 1}`, name, round % 2 === 0 ? before[name] !== true : before[name] === true]
  }
  const pick = (name: string, all: readonly unknown[]): unknown => {
    const value = all[round % all.length]
    // The values of the last round appear in a new account, so they must differ from the former defaults.
    return round === rounds - 1 && value === before[name] ? all[(round + 1) % all.length] : value
  }
  for (const [index, [name, most]] of choices.entries()) {
    yield [`DEFAULTS-INT-${index + 1}`, name, pick(name, knownOf(t, name, upTo(most)))]
  }
  for (const [index, [name, value]] of numbers.entries()) yield [`DEFAULTS-INT-${index + 12}`, name, value + round]
  for (const [index, [name, all]] of words.entries()) {
    yield [`DEFAULTS-STR-${index + 1}`, name, pick(name, knownOf(t, name, all))]
  }
  yield ['DEFAULTS-STR-5', sound, pick(sound, listOf(before.available_notification_sounds))]
}

/** Enough for the setting with the most values. */
const rounds = 5
/** `email_address_visibility` in the last round: members do not see the address. */
const byModerators = 5

async function newSettings(t: CheckContext): Promise<void> {
  const admin = t.person('administrator')
  const [present, { user }] = [await t.newUser(), await t.scene()]
  const { defaults: before } = await defaultsOf(admin)
  const ownBefore = await Promise.all([present, admin].map(async (person) => (await ownOf(person)).settings))
  const draft = { type: 'private', to: [present.userId], topic: '', content: t.unique('Draft') }
  await present.must('create-drafts', { drafts: [draft] })
  try {
    for (const round of Array(rounds).keys()) {
      const queue = await listen(user, ['realm_user_settings_defaults'])
      const all = [...wanted(t, before, round)].filter(([, name]) => name in before)
      const step = Object.fromEntries(all.map(([, name, value]) => [name, value]))
      const shownBefore = (await defaultsOf(admin)).defaults
      const changed = await admin.must(operation, step)
      const ignored: readonly unknown[] = listOf(changed.body.ignored_parameters_unsupported)
      const { exchange, defaults } = await defaultsOf(admin)
      for (const [id, name, value] of all) {
        t.that(id, changed, !ignored.includes(name), `\`${name}\` is not ignored`)
        t.that(id, exchange, defaults[name] === value, `\`${name}\` is ${JSON.stringify(value)}`)
      }
      const differing = all.map(([, name]) => name).filter((name) => shownBefore[name] !== defaults[name])
      const untold = new Map(differing.map((name) => [name, defaults[name]]))
      if (untold.size === 0) continue
      const told = await queue.until(({ property, value }) => {
        if (untold.get(property) === value) untold.delete(property)
        return untold.size === 0
      })
      const says = `an event of each change; there is none of ${[...untold.keys()].join()}`
      if (!t.that('DEFAULTS-10', told.exchange, told.event !== undefined, says)) return
    }
    const { defaults: chosen } = await defaultsOf(admin)
    const step = { twenty_four_hour_time: null, enable_drafts_synchronization: false }
    const nullable = await admin.call(operation, step)
    succeeds(by(t, 'DEFAULTS-BOOL-41'), nullable, '`twenty_four_hour_time` may be null')
    const { exchange, defaults } = await defaultsOf(admin)
    t.that('DEFAULTS-BOOL-41', exchange, defaults.twenty_four_hour_time === null, '`twenty_four_hour_time` is null')
    const lost = Object.keys(chosen).filter(
      (name) => !(name in step) && String(defaults[name]) !== String(chosen[name]),
    )
    t.that('DEFAULTS-4', exchange, lost.length === 0, `settings that were left out as they were, not ${lost}`)
    const watching = await listen(user, ['realm_user'])
    const made = await t.newUser(true)
    const newcomer = await ownOf(made)
    if (defaults.email_address_visibility === byModerators) {
      const person = { user_id: made.userId }
      const { event, exchange: heard, lacked } = await watching.until({ type: 'realm_user', op: 'add', person })
      const isHidden = event?.person.delivery_email === null
      t.that('EV-REALMUSER-15', heard, isHidden, `the new account with \`delivery_email\` null; but ${lacked}`)
    }
    const others = Object.keys(defaults).filter((name) => {
      const [is, has] = [newcomer.settings[name], defaults[name]]
      return name in newcomer.settings && canonical(is) !== canonical(has)
    })
    const asChosen = `settings of the new account as the organization has them; others are ${others.join()}`
    t.that('DEFAULTS-2', newcomer.exchange, others.length === 0, asChosen)
    const isOff = newcomer.settings.enable_drafts_synchronization === false
    t.that('DEFAULTS-6', newcomer.exchange, isOff, '`enable_drafts_synchronization` is false for the new account')
    const drafts = await present.must('get-drafts')
    t.that('DEFAULTS-6', drafts, drafts.body.count === 1, 'the draft of somebody who was there before')
    for (const [index, who] of [
      'somebody who was there before',
      'the administrator who changed the defaults',
    ].entries()) {
      const own = await ownOf(index === 0 ? present : admin)
      const same = canonical(own.settings) === canonical(ownBefore[index])
      t.that('DEFAULTS-3', own.exchange, same, `settings as before, of ${who}`)
    }
  } finally {
    const names = [...wanted(t, before, 0)].map(([, name]) => name).filter((name) => name in before)
    await admin.call(operation, Object.fromEntries(names.map((name) => [name, before[name]])))
  }
}

async function defaultsOf(account: Account): Promise<{ readonly exchange: Exchange; readonly defaults: Json }> {
  const exchange = await account.must('register-queue', { fetch_event_types: ['realm_user_settings_defaults'] })
  return { exchange, defaults: exchange.body.realm_user_settings_defaults ?? {} }
}

async function ownOf(account: Account): Promise<{ readonly exchange: Exchange; readonly settings: Json }> {
  const exchange = await account.must('register-queue', { fetch_event_types: ['user_settings'] })
  return { exchange, settings: exchange.body.user_settings ?? {} }
}
