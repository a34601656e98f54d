import { type Emoji, emojiNamed, newEmojiName, pictureOf } from '../acts/custom-emoji.ts'
import type { Account, Values } from '../deployment/account.ts'
import { type Event, EventQueue, lackOf } from '../deployment/event-queue.ts'
import { type Check, ids } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { effectNamed } from '../kernel/effect.ts'
import { eventOf } from '../kernel/listening.ts'
import { fetched, fetchedInList, messageOf, post } from '../kernel/messaging.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused, type Json, listOf } from '../wire/values.ts'
import { by, refuses, refusesWith, succeeds } from './outcomes.ts'

const base = { area: 'Reaction' } as const

export const checks: readonly Check[] = [
  {
    ...base,
    id: 'reactions/add',
    title: 'a reaction is on its message, with its fields, in order',
    requirements: [
      ...[...ids('REACT', [1, 3, 7]), ...ids('MSG-FIELD', [30, 31]), ...ids('REACT-FIELD', [1, 2, 3, 4, 7])],
      ...['LEVEL-328', 'EV-OTHER-13'],
    ],
    async run(t) {
      const { author, reader, id } = await message(t)
      const queue = await EventQueue.open(author, { event_types: ['reaction'] })
      const added = await reader.call('add-reaction', { message_id: id, emoji_name: 'octopus' })
      if (!t.that('REACT-1', added, added.status === 200, 'a reaction to the message that the path names')) return
      await author.must('add-reaction', { message_id: id, emoji_name: 'tada' })
      const exchange = await author.must('get-message', { message_id: id })
      const reactions = exchange.body.message.reactions
      const isPair = Array.isArray(reactions) && reactions.length === 2
      if (!t.that('MSG-FIELD-30', exchange, isPair, '`reactions` has two objects')) return
      const [first] = reactions
      const is = (requirement: string, holds: boolean, expected: string): boolean =>
        t.that(requirement, exchange, holds, expected)
      const inOrder = first.user_id === reader.userId && reactions[1].user_id === author.userId
      is('MSG-FIELD-31', inOrder, `the reaction of user ${reader.userId} comes first`)
      for (const one of ['REACT-7', 'REACT-FIELD-7'])
        is(one, first.user_id === reader.userId, `a reaction of user ${reader.userId}`)
      const octopus = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' }
      const lack = lackOf(first, octopus)
      for (const one of ['REACT-3', ...ids('REACT-FIELD', [1, 2, 3, 4])])
        is(one, lack === undefined, `the octopus, 1f419; but ${lack}`)
      is('LEVEL-328', !('user' in first), 'no `user`')
      await isTold(t, queue, { op: 'add', message_id: id, user_id: reader.userId, ...octopus })
    },
  },
  {
    ...base,
    id: 'reactions/join',
    title: 'a reaction joins an existing one, even if its name means another emoji by now',
    requirements: ['REACT-4', 'REACT-5', 'EV-OTHER-13'],
    async run(t) {
      const { author, reader, id } = await message(t)
      await author.must('add-reaction', { message_id: id, emoji_name: 'octopus' })
      const present = { message_id: id, emoji_code: '1f419' }
      const queue = await EventQueue.open(author, { event_types: ['reaction'] })
      const is = (op: string) => isTold(t, queue, { op, ...present, user_id: reader.userId, emoji_name: 'octopus' })
      const untyped = await reader.call('add-reaction', { ...present, emoji_name: 'tada' })
      if (t.that('REACT-5', untyped, untyped.status === 200, 'success, also without `reaction_type`')) {
        await isJoined(t, author, id)
        await is('add')
        await reader.must('remove-reaction', { ...present, reaction_type: 'unicode_emoji' })
        await is('remove')
      }
      const former = { ...present, emoji_name: 'conformance_former_name', reaction_type: 'unicode_emoji' }
      const joined = await reader.call('add-reaction', former)
      succeeds(by(t, 'REACT-4'), joined, 'the code is that of a reaction which is there')
      await isJoined(t, author, id)
      await is('add')
      await reader.must('remove-reaction', present)
    },
  },
  {
    ...base,
    id: 'reactions/refused',
    title: 'an impossible reaction is refused with its reason',
    requirements: ['REACT-2', 'REACT-5', 'REACT-8', 'REACT-9', 'REACT-12'],
    async run(t) {
      const { author, id } = await message(t)
      const react = (values: Readonly<Record<string, unknown>>): Promise<Exchange> =>
        author.call('add-reaction', { message_id: id, ...values })
      refuses(by(t, 'REACT-2'), await react({}), 'there is no `emoji_name`')
      const strange = await react({ emoji_name: 'octopus', reaction_type: 'strange' })
      t.that('REACT-5', strange, isRefused(strange), 'a refusal, because of `reaction_type`')
      for (const emoji of [
        { emoji_name: 'octopus', emoji_code: 'ffffff', reaction_type: 'unicode_emoji' },
        { emoji_name: 'octopus', emoji_code: 'octopus', reaction_type: 'service_extra_emoji' },
      ]) {
        const uncoded = await react(emoji)
        t.that('REACT-8', uncoded, uncoded.body?.code === 'BAD_REQUEST', 'BAD_REQUEST, because no emoji has that code')
      }
      const unknown = await react({ emoji_name: 'conformance_none' })
      t.refusedWith('REACT-12', unknown, "Emoji 'conformance_none' does not exist")
      const nowhere = await react({ message_id: idOfNothing, emoji_name: 'octopus' })
      t.refusedWith('REACT-12', nowhere, 'Invalid message(s)')
      await author.must('add-reaction', { message_id: id, emoji_name: 'octopus' })
      const again = await react({ emoji_name: 'octopus' })
      t.that('REACT-9', again, again.body?.code === 'REACTION_ALREADY_EXISTS', 'REACTION_ALREADY_EXISTS')
    },
  },
  {
    ...base,
    id: 'reactions/archived',
    title: 'messages of an archived channel accept no reactions',
    requirements: ['REACT-11'],
    async run(t) {
      const { user: author } = await t.scene()
      const channel = await t.channel(author)
      const id = await post(author, channel, 'reactions', 'Closing time.')
      await t.person('administrator').must('archive-stream', { stream_id: channel.id })
      const late = await author.call('add-reaction', { message_id: id, emoji_name: 'octopus' })
      t.that('REACT-11', late, isRefused(late), 'a refusal: the channel is archived')
    },
  },
  {
    ...base,
    id: 'reactions/extra',
    title: 'a special emoji of the server has its name as its code',
    requirements: ['REACT-5', 'REACT-FIELD-3', 'REACT-FIELD-6', 'REACT-FIELD-8'],
    async run(t) {
      const { author, reader, id } = await message(t)
      const extra = { message_id: id, emoji_name: 'zulip', emoji_code: 'zulip' }
      const service = { ...extra, reaction_type: 'service_extra_emoji' }
      const added = await author.call('add-reaction', { ...extra, reaction_type: 'zulip_extra_emoji' })
      t.that('REACT-FIELD-8', added, added.status === 200, '`zulip_extra_emoji` is understood')
      if (added.status !== 200) await author.must('add-reaction', service)
      const named = await reader.call('add-reaction', service)
      const says = 'a reaction of the type "service_extra_emoji"'
      t.thatOrDeviates('NOTE-13', 'REACT-5', named, named.status === 200, says, isRefused(named))
      const { id: other } = await message(t)
      const bare = await reader.call('add-reaction', { message_id: other, emoji_name: 'zulip' })
      succeeds(by(t, 'REACT-5'), bare, 'the name is enough')
      const exchange = await reader.must('get-message', { message_id: id })
      const [reaction] = exchange.body.message.reactions
      if (reaction.reaction_type === 'zulip_extra_emoji') {
        t.deviates('NOTE-13', exchange, '`reaction_type` is "service_extra_emoji"')
      }
      const isOne = ['service_extra_emoji', 'zulip_extra_emoji'].includes(reaction.reaction_type)
      t.that('REACT-FIELD-3', exchange, isOne, '`reaction_type` is "service_extra_emoji"')
      t.that('REACT-FIELD-6', exchange, reaction.emoji_code === 'zulip', '`emoji_code` is "zulip"')
    },
  },
  {
    ...base,
    id: 'reactions/custom',
    title: 'a custom emoji is found by its name alone, and its code is its ID',
    requirements: [...ids('REACT', [4, 5, 6, 8, 9]), 'REACT-FIELD-5', 'EV-OTHER-13'],
    async run(t) {
      const { user: author, other: reader } = await t.scene()
      const custom = await newEmoji(t, author)
      if (custom === undefined) return t.leaveOut('needs a custom emoji, and emoji cannot be added here')
      const [code, type] = [{ emoji_code: custom.id }, { reaction_type: 'realm_emoji' }]
      const reacted: number[] = []
      const queue = await EventQueue.open(author, { event_types: ['reaction'] })
      for (const more of [{}, code, type, { ...code, ...type }]) {
        const { id } = await message(t)
        reacted.push(id)
        const added = await reader.call('add-reaction', { message_id: id, emoji_name: custom.name, ...more })
        const given = ['emoji_name', ...Object.keys(more)].join(' and ')
        for (const one of ['REACT-5', 'REACT-6']) t.that(one, added, added.status === 200, `success with ${given}`)
        const exchange = await author.must('get-message', { message_id: id })
        const [reaction = {}] = exchange.body.message.reactions
        const says = `\`reaction_type\` is "realm_emoji" of a reaction with ${given}`
        t.that('REACT-6', exchange, reaction.reaction_type === 'realm_emoji', says)
        t.that('REACT-FIELD-5', exchange, reaction.emoji_code === custom.id, `\`emoji_code\` is "${custom.id}"`)
        const same = { emoji_name: custom.name, ...code, ...type }
        await isTold(t, queue, { op: 'add', message_id: id, user_id: reader.userId, ...same })
        const again = await reader.call('add-reaction', { message_id: id, emoji_name: custom.name, ...more })
        refusesWith(by(t, 'REACT-9'), 'REACTION_ALREADY_EXISTS', again, `it is there already, with ${given}`)
      }
      await author.must('deactivate-custom-emoji', { emoji_name: custom.name })
      // Other servers look up the name if the type is missing.
      for (const [index, more] of [type, ...(t.isParley ? [{}] : [])].entries()) {
        const vote = { message_id: reacted[index], emoji_name: custom.name, ...code, ...more }
        const joined = await author.call('add-reaction', vote)
        succeeds(by(t, 'REACT-4'), joined, 'the reaction is there, though the emoji is gone')
      }
      const { id: message_id } = await message(t)
      const late = await author.call('add-reaction', { message_id, emoji_name: custom.name, ...code, ...type })
      refusesWith(by(t, 'REACT-8'), 'BAD_REQUEST', late, 'the emoji is gone, and nobody reacted with it')
    },
  },
  {
    ...base,
    id: 'reactions/named-like-others',
    title: 'a custom emoji takes precedence over others of its name',
    requirements: ['REACT-10'],
    async run(t) {
      const { author, id } = await message(t)
      const administrator = t.person('administrator')
      // No other check uses this emoji.
      const emoji_name = 'fondue'
      const added = await administrator.call('add-custom-emoji', { emoji_name, file: pictureOf(1) })
      if (added.status !== 200) t.leaveOut(`needs a custom emoji ${emoji_name}, which cannot be added here`)
      const custom = await emojiNamed(author, emoji_name)
      const own = await author.call('add-reaction', { message_id: id, emoji_name })
      await administrator.must('deactivate-custom-emoji', { emoji_name })
      const usual = await author.call('add-reaction', { message_id: id, emoji_name })
      t.that('REACT-10', own, own.status === 200 && usual.status === 200, 'success: both are emoji')
      const exchange = await author.must('get-message', { message_id: id })
      const types = exchange.body.message.reactions.map((one: Event) => `${one.reaction_type} ${one.emoji_code}`)
      const wanted = [`realm_emoji ${custom?.id}`, 'unicode_emoji 1fad5']
      t.that('REACT-10', exchange, types.join() === wanted.join(), wanted.join(', and then '))
    },
  },
  effectNamed(
    'effects/add-reaction/order',
    'reactions are in the order in which they were added, wherever they are listed',
    async (t, shows, { user, other, channel, topic }) => {
      const third = await t.user()
      const message_id = await post(user, channel, topic, 'In turn, please.')
      const all = [user, other, third].toSorted((one, two) => two.userId - one.userId)
      // Emoji alternate, newest account first, so that neither an order by emoji nor one by account is correct.
      const emoji = ['tada', 'octopus', 'heart']
      const turns = emoji.flatMap((_, shift) => all.map((one, who) => [one, emoji[(who + shift) % 3]] as const))
      for (const [person, emoji_name] of turns) await person.must('add-reaction', { message_id, emoji_name })
      const [first] = turns
      if (first === undefined) return
      await first[0].must('remove-reaction', { message_id, emoji_name: first[1] })
      await first[0].must('add-reaction', { message_id, emoji_name: first[1] })
      const wanted = [...turns.slice(1), first].map(([{ userId }, name]) => `${name} of ${userId}`).join(', ')
      const options = [{}, { apply_markdown: false }, { narrow: [['stream', channel.name]] }]
      for (const exchange of [
        await fetched(other, message_id),
        ...(await Promise.all(options.map((values) => fetchedInList(other, message_id, values)))),
      ]) {
        const has = listOf(messageOf(exchange).reactions).map((one: Json) => `${one.emoji_name} of ${one.user_id}`)
        shows(exchange, has.join(', ') === wanted, `the reactions ${wanted}, in this order`)
      }
    },
  ),
  effectNamed(
    'effects/add-reaction/names',
    'an emoji is the same under each of its names',
    async (_, shows, { user, channel, topic }) => {
      const message_id = await post(user, channel, topic, 'By any name.')
      const thumb = { emoji_code: '1f44d', reaction_type: 'unicode_emoji' }
      await user.must('add-reaction', { message_id, emoji_name: '+1' })
      for (const values of [{ emoji_name: '+1' }, { emoji_name: 'thumbs_up' }, { emoji_name: '+1', ...thumb }]) {
        const again = await user.call('add-reaction', { message_id, ...values })
        // Each server chooses the other names of an emoji.
        if (values.emoji_name === 'thumbs_up' && again.body?.code === 'BAD_REQUEST') continue
        const isKnown = again.body?.code === 'REACTION_ALREADY_EXISTS'
        shows(again, isKnown, `REACTION_ALREADY_EXISTS: ${JSON.stringify(values)} is the emoji that is there`)
      }
      const exchange = await fetched(user, message_id)
      const has = listOf(exchange.body.message.reactions).map((one: Json) => one.emoji_code)
      shows(exchange, has.join() === thumb.emoji_code, 'one reaction')
    },
  ),
]

/** Undefined if the author may not add emoji. */
async function newEmoji(t: CheckContext, author: Account): Promise<Emoji | undefined> {
  const emoji_name = newEmojiName(t)
  const added = await author.call('add-custom-emoji', { emoji_name, file: pictureOf(1) })
  return added.status === 200 ? emojiNamed(author, emoji_name) : undefined
}

/** Waits for an event of this reaction. */
async function isTold(t: CheckContext, queue: EventQueue, reaction: Values): Promise<void> {
  await eventOf(by(t, 'EV-OTHER-13'), queue, { type: 'reaction', ...reaction })
}

/** Checks that the second reaction to the message uses the emoji of the first. */
async function isJoined(t: CheckContext, reader: Account, id: number): Promise<void> {
  const exchange = await reader.must('get-message', { message_id: id })
  const reactions: readonly Event[] = exchange.body.message.reactions
  const isOne = (name: string): boolean => new Set(reactions.map((one) => one[name])).size === 1
  const areJoined = reactions.length === 2 && isOne('emoji_name') && isOne('emoji_code')
  t.that('REACT-4', exchange, areJoined, 'two reactions with the same `emoji_name` and `emoji_code`')
}

async function message(t: CheckContext): Promise<{ author: Account; reader: Account; id: number }> {
  const { user: author, other: reader, channel } = await t.scene()
  return { author, reader, id: await post(author, channel, t.unique('reactions'), 'What do you say?') }
}
