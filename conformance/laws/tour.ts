import type { Action } from './action-kind.ts'

const [first, second, third, guest] = [0, 1, 2, 3]
const [open, hidden] = [0, 1]

function action(kind: string, who: number, values: object = {}): Action {
  return { kind, who, ...values }
}

const send = (who: number, channel: number, topic: string, content: string): Action =>
  action('send', who, { channel, topic, content })
const vote = (who: number, message: number, emoji_name: string): Action => action('react', who, { message, emoji_name })
const takeBack = (who: number, message: number, emoji_name: string): Action =>
  action('unreact', who, { message, emoji_name })
const star = (who: number, messages: readonly number[], op: string): Action =>
  action('flag', who, { messages, op, flag: 'starred' })
const read = (who: number, messages: readonly number[], op: string): Action =>
  action('flag', who, { messages, op, flag: 'read' })
const change = (who: number, channel: number, property: string, value: unknown): Action =>
  action('change subscription', who, { channel, change: { property, value } })
const follow = (who: number, channel: number, topic: string, visibility_policy: number): Action =>
  action('change topic policy', who, { channel, topic, visibility_policy })
const make = (who: number, others: readonly number[], isPrivate: boolean): Action =>
  action('create channel', who, { name: 'conformance', others, isPrivate })
const set = (who: number, setting: object): Action => action('change setting', who, { setting })
/** Actions on a person's own lists. */
const own = (verb: string, content = 'Not yet.'): Action[] => [
  action(`${verb} draft`, first, { written: { content } }),
  action(`${verb} saved snippet`, first, { fields: { content } }),
]

/**
 * Every kind of action takes effect, is undone, and takes effect again. No stage undoes its own actions, because a lost
 * event would then leave no trace. The people are two members and, if possible, a guest; they start with a channel for
 * all members and a private one for the first two.
 */
export const stages: readonly (readonly Action[])[] = [
  [
    action('subscribe', first, { channels: [open], others: [guest] }),
    send(second, open, 'lunch', 'Hello.'),
    send(first, hidden, 'plans', '**bold** and `code`'),
    send(third, open, 'Müller', 'Look, @{0}!'),
    action('send direct', second, { to: [0], content: 'Hello.' }),
    action('send direct', third, { to: [0, 1], content: '@{1} and @{2}, please' }),
    send(guest, open, '日本語', '/me waves'),
    action('type', second, { op: 'start', channel: open }),
    action('type directly', second, { op: 'start', others: [first] }),
    vote(first, 0, 'octopus'),
    vote(second, 0, 'octopus'),
    vote(third, 2, 'tada'),
    vote(first, 3, 'tada'),
    star(first, [0, 2, 3], 'add'),
    star(third, [4], 'add'),
    read(first, [2, 3], 'add'),
    change(first, open, 'is_muted', true),
    change(first, hidden, 'pin_to_top', true),
    change(first, open, 'push_notifications', true),
    change(third, open, 'wildcard_mentions_notify', false),
    change(first, open, 'color', '#1a2b3c'),
    follow(first, open, 'lunch', 3),
    follow(first, open, 'plans', 1),
    follow(third, open, 'lunch', 2),
    action('set status', first, { status_text: 'away', emoji_name: 'palm_tree' }),
    action('set status', third, { status_text: 'on vacation' }),
    action('report presence', second),
    set(first, { starred_message_counts: false }),
    set(first, { enter_sends: true }),
    set(third, { high_contrast_mode: true }),
    action('add alert words', first, { words: ['tea'] }),
    action('add alert words', first, { words: ['coffee'] }),
    action('mute user', first, { other: third, isMuted: true }),
    action('mute user', third, { other: first, isMuted: true }),
    action('mute user', third, { other: second, isMuted: true }),
    ...own('keep'),
    ...own('keep', '*Soon.*'),
    make(first, [second], false),
    make(second, [], true),
    action('create user', first),
    action('hear from user', first),
    action('upload picture', second),
    action('remove picture', third),
    action('rename user', first, { suffix: 'Marsh' }),
    action('change role', first, { role: 300 }),
    action('edit', first, { message: 0, content: '- one\n- two' }),
    action('edit', first, { message: 3, content: 'Hello.' }),
  ],
  [
    action('type', second, { op: 'stop', channel: open }),
    action('type directly', second, { op: 'stop', others: [first] }),
    takeBack(second, 0, 'octopus'),
    takeBack(first, 3, 'tada'),
    star(first, [2], 'remove'),
    read(first, [2, 3], 'remove'),
    change(first, open, 'is_muted', false),
    change(first, hidden, 'pin_to_top', false),
    change(first, open, 'push_notifications', false),
    change(first, open, 'color', '#445566'),
    follow(first, open, 'plans', 0),
    follow(third, open, 'lunch', 1),
    action('set status', first, { status_text: '', emoji_name: '' }),
    set(first, { starred_message_counts: true }),
    set(first, { enter_sends: false }),
    action('remove alert words', first, { words: ['tea'] }),
    action('mute user', first, { other: third, isMuted: false }),
    ...own('change', 'Later.'),
    action('unsubscribe', third, { channels: [open] }),
    action('subscribe', second, { channels: [hidden], others: [third, guest] }),
    action('delete', first, { message: 2 }),
    action('edit', first, { message: 0, content: 'Look, @{0}!' }),
    action('rename user', first, { suffix: 'Kim' }),
    action('change role', first, { role: 600 }),
    action('flag narrow', first, { channel: hidden, op: 'add', flag: 'starred' }),
  ],
  [
    action('subscribe', first, { channels: [open], others: [third] }),
    send(third, open, 'lunch', 'Hello.'),
    send(second, hidden, 'lunch', '@{1} and @{2}, please'),
    action('send direct', first, { to: [2], content: 'Hello.' }),
    action('move', first, { message: 6, topic: 'plans', mode: 'change_one' }),
    action('resolve', first, { message: 4 }),
    takeBack(first, 0, 'octopus'),
    vote(second, 0, 'octopus'),
    vote(second, 3, 'tada'),
    action('mark channel read', first, { channel: open }),
    action('mark topic read', third, { channel: open, topic: 'lunch' }),
    action('flag narrow', first, { channel: hidden, op: 'remove', flag: 'starred' }),
    change(first, open, 'is_muted', true),
    follow(first, open, 'lunch', 0),
    action('set status', first, { status_text: 'on vacation' }),
    set(first, { high_contrast_mode: true }),
    action('add alert words', first, { words: ['tea'] }),
    action('mute user', first, { other: second, isMuted: true }),
    ...own('delete'),
    action('change role', first, { role: 400 }),
    action('deactivate user', first),
  ],
  [
    action('unsubscribe', second, { channels: [hidden], others: [third, guest] }),
    action('change channel', second, { by: second, channel: hidden, change: { is_private: false } }),
    action('unsubscribe', first, { channels: [open], others: [third, guest] }),
  ],
  [action('change channel', first, { by: first, channel: open, change: { is_private: true } })],
  [
    send(first, open, 'plans', 'Hello.'),
    action('delete', first, { message: 0 }),
    action('unsubscribe', first, { channels: [hidden] }),
    action('mute user', first, { other: second, isMuted: false }),
    action('remove alert words', first, { words: ['coffee'] }),
    action('reactivate user', first),
    send(first, open, 'lunch', '**bold** and `code`'),
  ],
]

/** The events that the first member gets for each kind of action: types, with their op. */
export const tellingKinds: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['send', ['message']],
  ['edit', ['update_message']],
  ['delete', ['delete_message']],
  ['react', ['reaction add']],
  ['unreact', ['reaction remove']],
  ['type', ['typing start', 'typing stop']],
  ['flag', ['update_message_flags add', 'update_message_flags remove']],
  ['subscribe', ['subscription peer_add']],
  ['unsubscribe', ['subscription peer_remove', 'subscription remove']],
  ['change subscription', ['subscription update']],
  ['create channel', ['subscription add', 'stream create']],
  ['change topic policy', ['user_topic']],
  ['set status', ['user_status']],
  ['change setting', ['user_settings update']],
  ['add alert words', ['alert_words']],
  ['mute user', ['muted_users']],
  ...[
    ['draft', 'drafts'],
    ['saved snippet', 'saved_snippets'],
  ].flatMap(([item, type]): (readonly [string, readonly string[]])[] => [
    [`keep ${item}`, [`${type} add`]],
    [`change ${item}`, [`${type} update`]],
    [`delete ${item}`, [`${type} remove`]],
  ]),
  ['create user', ['realm_user add']],
  ['change role', ['realm_user update']],
])

/** Actions that many organizations allow only some people. */
export const maybeRefused: ReadonlySet<string> = new Set([
  // Only creators of new channels may change them, and only at later levels.
  ...['unsubscribe', 'change channel', 'move', 'resolve'],
  ...['edit', 'delete', 'create user', 'hear from user', 'rename user', 'change role'],
])
