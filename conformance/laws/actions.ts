import fc from 'fast-check'
import type { Values } from '../deployment/account.ts'
import { changeSetting } from '../kernel/subscription-setting.ts'
import type { Exchange } from '../wire/http.ts'
import type { World } from './world.ts'

/**
 * What somebody does: data only, so that it can be printed and done again. Numbers are taken modulo how many there are
 * in the run.
 */
export interface Action {
  readonly kind: string
  readonly who: number
}

interface ActionKind {
  /** How often, compared to the others. */
  readonly weight: number
  readonly any: fc.Arbitrary<Action>
  /** Undefined when there is nothing yet to do it to. */
  perform(world: World, action: Action): Promise<Exchange | undefined>
}

const three = fc.nat({ max: 2 })
const some = fc.nat({ max: 9 })
/** For actions that concern only the one who acts: the first person, who mostly observes, does them most. */
const mostlyFirst = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, three)

/** No mention of whole channels, no links, no topic without a name: what deployed servers treat in many ways. */
const contents = ['Hello.', '**bold** and `code`', 'Look, @{0}!', '@{1} and @{2}, please', '/me waves', '- one\n- two']
const topics = ['lunch', 'plans', 'Müller', '日本語']
const emoji = ['octopus', 'tada']
const policies = [0, 1, 2, 3]
const switches = ['is_muted', 'pin_to_top', 'push_notifications', 'wildcard_mentions_notify']
/** Settings whose values are the same everywhere. */
const ownSettings: readonly Values[] = [true, false].flatMap((value) => [
  { starred_message_counts: value },
  { enter_sends: value },
  { high_contrast_mode: value },
])

const unaddressed = { type: '', to: [], topic: '' }

/** @param values what the action says beside its kind and who does it */
function kind<One extends object>(
  name: string,
  weight: number,
  values: { readonly [Key in keyof One]: fc.Arbitrary<One[Key]> },
  perform: (world: World, action: Action & One) => Promise<Exchange | undefined>,
): [string, ActionKind] {
  const any = fc.record({ kind: fc.constant(name), who: three, ...values }) as unknown as fc.Arbitrary<Action>
  return [name, { weight, any, perform: (world, action) => perform(world, action as Action & One) }]
}

const kinds: ReadonlyMap<string, ActionKind> = new Map([
  kind(
    'send',
    8,
    { channel: some, topic: fc.constantFrom(...topics), content: fc.constantFrom(...contents) },
    (world, { who, channel, topic, content }) =>
      world.send(world.person(who), {
        ...{ type: 'stream', to: world.channel(channel).id, topic },
        content: addressed(world, content),
      }),
  ),
  kind(
    'send direct',
    4,
    { to: fc.uniqueArray(three, { minLength: 1, maxLength: 2 }), content: fc.constantFrom(...contents) },
    (world, { who, to, content }) => {
      const sender = world.person(who)
      const others = to.map((number) => world.person(number)).filter((person) => person !== sender)
      if (others.length === 0) return nothing()
      return world.send(sender, {
        ...{ type: 'direct', to: others.map(({ userId }) => userId) },
        content: addressed(world, content),
      })
    },
  ),
  kind('edit', 6, { message: some, content: fc.constantFrom(...contents) }, (world, { message, content }) => {
    const { id, author } = world.message(message) ?? {}
    return author?.call('update-message', { message_id: id, content: addressed(world, content) }) ?? nothing()
  }),
  kind('delete', 2, { message: some }, (world, { message }) => {
    const chosen = world.message(message)
    return chosen === undefined ? nothing() : world.delete(chosen)
  }),
  kind('react', 9, { message: some, emoji_name: fc.constantFrom(...emoji) }, (world, { who, message, emoji_name }) => {
    const { id } = world.message(message) ?? {}
    return id === undefined ? nothing() : world.person(who).call('add-reaction', { message_id: id, emoji_name })
  }),
  kind(
    'unreact',
    2,
    { message: some, emoji_name: fc.constantFrom(...emoji) },
    (world, { who, message, emoji_name }) => {
      const { id } = world.message(message) ?? {}
      return id === undefined ? nothing() : world.person(who).call('remove-reaction', { message_id: id, emoji_name })
    },
  ),
  kind('type', 1, { op: fc.constantFrom('start', 'stop'), channel: some }, (world, { who, op, channel }) => {
    const values = { type: 'stream', stream_id: world.channel(channel).id, topic: 'lunch' }
    return world.person(who).call('set-typing-status', { op, ...values })
  }),
  kind('type directly', 1, { op: fc.constantFrom('start', 'stop'), other: three }, (world, { who, op, other }) => {
    return world.person(who).call('set-typing-status', { op, type: 'direct', to: [world.person(other).userId] })
  }),
  kind(
    'flag',
    6,
    {
      who: mostlyFirst,
      messages: fc.uniqueArray(some, { minLength: 1, maxLength: 4 }),
      op: fc.constantFrom('add', 'remove'),
      flag: fc.constantFrom('read', 'starred'),
    },
    (world, { who, messages, op, flag }) => {
      const ids = new Set(messages.flatMap((number) => world.message(number)?.id ?? []))
      if (ids.size === 0) return nothing()
      return world.person(who).call('update-message-flags', { messages: [...ids], op, flag })
    },
  ),
  kind('subscribe', 4, { channel: some, other: three }, (world, { who, channel, other }) => {
    const principals = [world.person(other).userId]
    return world.person(who).call('subscribe', { subscriptions: [{ name: world.channel(channel).name }], principals })
  }),
  kind('unsubscribe', 3, { channel: some }, (world, { who, channel }) =>
    world.person(who).call('unsubscribe', { subscriptions: [world.channel(channel).name] }),
  ),
  kind(
    'change subscription',
    4,
    {
      who: mostlyFirst,
      channel: some,
      change: fc.oneof(
        fc.record({ property: fc.constantFrom(...switches), value: fc.boolean() }),
        fc.constantFrom({ property: 'color', value: '#1a2b3c' }, { property: 'color', value: '#445566' }),
      ),
    },
    (world, { who, channel, change }) =>
      changeSetting(world.person(who), world.level, { stream_id: world.channel(channel).id, ...change }),
  ),
  kind(
    'change topic policy',
    4,
    {
      who: mostlyFirst,
      channel: some,
      topic: fc.constantFrom(...topics),
      visibility_policy: fc.constantFrom(...policies),
    },
    (world, { who, channel, topic, visibility_policy }) => {
      if (world.level < 170) return nothing()
      const stream_id = world.channel(channel).id
      return world.person(who).call('update-user-topic', { stream_id, topic, visibility_policy })
    },
  ),
  kind('set status', 2, { status_text: fc.constantFrom('', 'away', 'on vacation') }, (world, { who, status_text }) =>
    world.person(who).call('update-own-status', { status_text }),
  ),
  kind('report presence', 1, {}, (world, { who }) =>
    world.person(who).call('update-presence', { status: 'active', ping_only: true }),
  ),
  kind('change setting', 3, { who: mostlyFirst, setting: fc.constantFrom(...ownSettings) }, (world, { who, setting }) =>
    world.person(who).call('update-settings', setting),
  ),
  kind('add alert word', 2, { who: mostlyFirst, word: fc.constantFrom('tea', 'coffee') }, (world, { who, word }) =>
    world.person(who).call('add-alert-words', { alert_words: [word] }),
  ),
  kind('remove alert word', 1, { who: mostlyFirst, word: fc.constantFrom('tea', 'coffee') }, (world, { who, word }) =>
    world.person(who).call('remove-alert-words', { alert_words: [word] }),
  ),
  kind(
    'keep draft',
    1,
    { who: mostlyFirst, content: fc.constantFrom('Not yet.', '*Soon.*') },
    (world, { who, content }) => world.keepDraft(world.person(who), { ...unaddressed, content }),
  ),
  kind('replace draft', 1, { who: mostlyFirst }, (world, { who }) => {
    const [writer, draft] = [world.person(who), { ...unaddressed, content: 'Later.' }]
    return world.toDraft(writer, (draft_id) => writer.call('update-draft', { draft_id, draft }), false)
  }),
  kind('delete draft', 1, { who: mostlyFirst }, (world, { who }) => {
    const writer = world.person(who)
    return world.toDraft(writer, (draft_id) => writer.call('delete-draft', { draft_id }), true)
  }),
  kind('mute user', 1, { who: mostlyFirst, other: three, isMuted: fc.boolean() }, (world, { who, other, isMuted }) => {
    const muted_user_id = world.person(other).userId
    return world.person(who).call(isMuted ? 'mute-user' : 'unmute-user', { muted_user_id })
  }),
  kind(
    'create channel',
    2,
    { others: fc.uniqueArray(three, { maxLength: 2 }), isPrivate: fc.boolean() },
    async (world, made) => {
      await world.makeChannel(made.who, made.others, made.isPrivate)
      return undefined
    },
  ),
  kind('create user', 1, {}, async (world) => {
    await world.makeUser()
    return undefined
  }),
  kind('rename user', 1, { suffix: fc.constantFrom('Marsh', 'Kim') }, async (world, { suffix }) => {
    const newcomer = await world.newcomer()
    const full_name = `${newcomer?.fullName} ${suffix}`
    return newcomer && world.admin?.call('update-user', { user_id_or_email: newcomer.userId, full_name })
  }),
  kind('change role', 1, { role: fc.constantFrom(300, 600, 400) }, async (world, { role }) => {
    const newcomer = await world.newcomer()
    return newcomer && world.admin?.call('update-user', { user_id_or_email: newcomer.userId, role })
  }),
  kind('mark channel read', 1, { channel: some }, (world, { who, channel }) =>
    world.person(who).call('mark-stream-as-read', { stream_id: world.channel(channel).id }),
  ),
  kind(
    'mark topic read',
    1,
    { channel: some, topic: fc.constantFrom(...topics) },
    (world, { who, channel, topic: topic_name }) =>
      world.person(who).call('mark-topic-as-read', { stream_id: world.channel(channel).id, topic_name }),
  ),
  kind(
    'flag narrow',
    1,
    { channel: some, op: fc.constantFrom('add', 'remove'), flag: fc.constantFrom('read', 'starred') },
    (world, { who, channel, op, flag }) => {
      const narrow = [{ operator: world.level >= 250 ? 'channel' : 'stream', operand: world.channel(channel).id }]
      if (world.level < 155) return nothing()
      const range = { anchor: 'newest', num_before: 100, num_after: 0 }
      return world.person(who).call('update-message-flags-for-narrow', { ...range, narrow, op, flag })
    },
  ),
  kind('deactivate user', 1, {}, async (world) => {
    const newcomer = await world.newcomer()
    return newcomer && world.admin?.call('deactivate-user', { user_id_or_email: newcomer.userId })
  }),
  kind('reactivate user', 1, {}, async (world) => {
    const newcomer = await world.newcomer()
    return newcomer && world.admin?.call('reactivate-user', { user_id: newcomer.userId })
  }),
  kind('hear from user', 1, {}, async (world, { who }) => {
    const newcomer = await world.newcomer()
    const to = [world.person(who).userId]
    return newcomer && world.send(newcomer, { type: 'direct', to, content: addressed(world, 'Hello.') })
  }),
])

export const kindNames: readonly string[] = [...kinds.keys()]

export const sendingKinds: readonly string[] = ['send', 'send direct']

/** What people do among themselves, without news for anybody else. */
export const privateKinds: readonly string[] = [
  ...['send', 'send direct', 'edit', 'delete', 'react', 'unreact', 'type', 'type directly', 'flag'],
  ...['subscribe', 'unsubscribe', 'change subscription', 'change topic policy'],
]

/** An action of one of these kinds, each as often as its weight says. */
export function anyOf(names: readonly string[]): fc.Arbitrary<Action> {
  return fc.oneof(
    ...names.map((name) => {
      const { weight, any } = kindOf(name)
      return { weight, arbitrary: any }
    }),
  )
}

/** Whether it was accepted does not matter: what was refused has changed nothing. */
export function perform(world: World, action: Action): Promise<Exchange | undefined> {
  return kindOf(action.kind).perform(world, action)
}

function kindOf(name: string): ActionKind {
  const found = kinds.get(name)
  if (found === undefined) throw new Error(`there is no kind of action '${name}'`)
  return found
}

/** With names in place of people's numbers, and with the mark of the world. */
function addressed(world: World, content: string): string {
  const named = content.replaceAll(/@\{(\d)\}/g, (_, number: string) => `@**${world.person(Number(number)).fullName}**`)
  return `${named} ${world.mark}`
}

async function nothing(): Promise<undefined> {
  return undefined
}
