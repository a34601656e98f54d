import type { Account } from '../deployment/account.ts'
import { whileSet } from '../deployment/organization.ts'
import { type Check, ids } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { clockOf, fetched, hasEmptyTopic, organizationOf, post } from '../kernel/messaging.ts'
import { newPerson } from '../kernel/people-of-roles.ts'
import type { Exchange } from '../wire/http.ts'
import type { Json } from '../wire/values.ts'
import { messagesOf, quiet } from './moves.ts'
import { by, refuses, succeeds } from './outcomes.ts'

const base = { area: 'PATCH /messages/{message_id}', isForAll: true } as const
const code = 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED'

/** Seconds during which messages may be moved, set by this check. */
const limitSeconds = 2

/** After this many seconds no server moves a message, even with extra time for slow clients. */
const tooOldSeconds = limitSeconds + 20 + 2

export const checks: readonly Check[] = [
  {
    ...base,
    id: 'move-rights/too-late',
    isCostly: true, // if the clock cannot be moved
    movesClock: true,
    title: 'messages can be moved within the organization’s time limit',
    requirements: ids('MSG-EDIT', [35, 36, 59]),
    async run(t) {
      const { user: mover, messageId: id } = await t.scene()
      // Sent with the scene, before most other checks, so that there is rarely a wait.
      const sent = await fetched(mover, id)
      const age = clockOf(sent) - Number(sent.body.message.timestamp)
      await t.pass(tooOldSeconds - age)
      await t.unlessDisturbed(() => movesEnd(t, mover, id))
    },
  },
  {
    ...base,
    id: 'move-rights/limits',
    movesClock: true,
    title: 'whole topics are moved as far as their messages are within the time limit',
    requirements: ids('MSG-EDIT', [38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 55]),
    async run(t) {
      const ground = await groundOf(t)
      await t.unlessDisturbed(() => topicsMove(t, ground))
      await t.unlessDisturbed(() => channelsMove(t, ground))
    },
  },
  {
    ...base,
    id: 'move-rights/groups',
    title: 'permission groups of the organization decide who moves messages, and who resolves topics',
    requirements: [...ids('MSG-EDIT', [32, 33]), ...ids('STATE-TOPIC', [2, 7]), ...ids('LEVEL', [310, 316, 367])],
    async run(t) {
      if (t.level < movers.channels.from) t.leaveOut('before level 310 roles say who moves messages')
      const { user: renamer, other } = await t.scene()
      const only = ({ userId }: Account): Json => ({ direct_members: [userId], direct_subgroups: [] })
      const settings = Object.values(movers)
        .filter(({ from }) => from <= t.level)
        .map(({ name }) => [name, only(name === movers.topics.name ? renamer : other)])
      const run = (): Promise<void> => groupsMove(t, renamer, other)
      await t.unlessDisturbed(() => whileSet(t.person('owner'), [renamer, other], Object.fromEntries(settings), run))
    },
  },
]

/** The settings that let people move and resolve, and the levels from which they exist. */
const movers = {
  channels: { name: 'can_move_messages_between_channels_group', from: 310 },
  topics: { name: 'can_move_messages_between_topics_group', from: 316 },
  resolving: { name: 'can_resolve_topics_group', from: 367 },
} as const

type Ground = Awaited<ReturnType<typeof groundOf>>

interface Aged {
  readonly topic: string
  readonly id: number
}

/**
 * Topics with their oldest messages, all older than the limit. The mover joined the closed channel after all messages
 * of one topic, and before the last message of another.
 */
async function groundOf(t: CheckContext) {
  const { user: mover, other: writer } = await t.scene()
  const superiors = [await newPerson(t, 'moderator'), await newPerson(t, 'administrator')]
  const exempt = superiors.filter((one) => one !== undefined)
  const channel = await t.channel(mover, [writer, ...exempt])
  const closed = await t.channel(writer, [], true, { history_public_to_subscribers: false })
  const aged = async (topic: string, at = channel): Promise<Aged> => ({
    topic,
    id: await post(writer, at, topic, 'An old one.'),
  })
  const isNameless = hasEmptyTopic(t, await organizationOf(mover))
  const ground = {
    mover,
    writer,
    exempt,
    channel,
    half: await aged(t.unique('half')),
    whole: await aged(t.unique('whole')),
    nameless: isNameless ? await aged('') : undefined,
    closed,
    hidden: await aged(t.unique('hidden'), closed),
    partlyHidden: await aged(t.unique('partly'), closed),
  }
  await writer.must('subscribe', { subscriptions: [{ name: closed.name }], principals: [mover.userId] })
  await post(writer, closed, ground.partlyHidden.topic, 'An old one that all have seen.')
  await t.pass(limitSeconds + 1)
  return ground
}

async function movesEnd(t: CheckContext, mover: Account, id: number): Promise<void> {
  // A new channel for each try: a message that was moved by mistake cannot be moved there again.
  const elsewhere = await t.channel(mover)
  const ages = 100 * tooOldSeconds
  for (const [requirement, values, within, between] of [
    ['MSG-EDIT-35', { topic: t.unique('late') }, limitSeconds, ages],
    ['MSG-EDIT-36', { stream_id: elsewhere.id }, ages, limitSeconds],
  ] as const) {
    const isLate = async (): Promise<void> => {
      const late = await move(mover, id, values)
      const isTooLate = late.body?.code === 'BAD_REQUEST' || late.body?.code === code
      for (const one of [requirement, 'MSG-EDIT-59']) {
        t.that(one, late, isTooLate, `a refusal: the message is ${tooOldSeconds} seconds old and more`)
      }
    }
    await whileLimited(t, mover, within, isLate, between)
  }
}

async function topicsMove(t: CheckContext, ground: Ground): Promise<void> {
  const { mover, writer, exempt, channel, half, nameless, whole, closed, hidden, partlyHidden } = ground
  await whileLimited(t, mover, limitSeconds, async () => {
    for (const { topic, id } of nameless ? [half, nameless] : [half]) {
      const young = [await post(writer, channel, topic, 'Young.'), await post(mover, channel, topic, 'Younger.')]
      const { length: seen } = await messagesOf(mover, channel, topic)
      const refused = await move(mover, young[1] ?? 0, { topic: t.unique('all'), ...all })
      const { body } = refused
      t.that(topic === '' ? 'MSG-EDIT-55' : 'MSG-EDIT-38', refused, body?.code === code, code)
      if (topic === '') continue
      const first = body?.first_message_id_allowed_to_move
      const [allowed, total] = [body?.total_messages_allowed_to_move, body?.total_messages_in_topic]
      t.that('MSG-EDIT-40', refused, first === young[0], `\`first_message_id_allowed_to_move\` is ${young[0]}`)
      t.that('MSG-EDIT-41', refused, allowed === young.length, `\`total_messages_allowed_to_move\` is ${young.length}`)
      t.that('MSG-EDIT-42', refused, total === seen, `\`total_messages_in_topic\` is ${seen}`)
      const to = t.unique('retried')
      const retried = await move(mover, young[0] ?? 0, { topic: to, propagate_mode: 'change_later' })
      t.that('MSG-EDIT-44', retried, retried.status === 200, 'success of the request that the refusal suggests')
      const places = await Promise.all([id, ...young].map(async (one) => (await fetched(mover, one)).body.message))
      const went = places.filter(({ subject }) => subject === to).map((one) => one.id)
      for (const one of ['MSG-EDIT-43', 'MSG-EDIT-44']) {
        t.that(one, retried, went.join() === young.join(), `the messages ${young} are in the new topic, and not ${id}`)
      }
    }
    const none = await move(mover, whole.id, { topic: t.unique('none'), ...all })
    if (none.body?.code === code) {
      const { first_message_id_allowed_to_move: first } = none.body
      t.that('MSG-EDIT-45', none, first === null || Number.isInteger(first), 'an ID or null is there')
    }
    const seen = await post(writer, closed, hidden.topic, 'Seen.')
    const partial = await move(mover, seen, { topic: t.unique('seen'), ...all })
    succeeds(by(t, 'MSG-EDIT-47'), partial, `nobody tells of message ${hidden.id}`)
    const young = await post(writer, closed, partlyHidden.topic, 'Seen.')
    const counted = await move(mover, young, { topic: t.unique('counted'), ...all })
    const { length: visible } = await messagesOf(mover, closed, partlyHidden.topic)
    const isSeenOnly = counted.body?.total_messages_in_topic === visible
    t.that('MSG-EDIT-46', counted, isSeenOnly, `\`total_messages_in_topic\` is ${visible}, what the user sees`)
    for (const who of exempt) {
      succeeds(by(t, 'MSG-EDIT-39'), await move(who, whole.id, { topic: t.unique('whole'), ...all }), unlimited(who))
    }
  })
}

/** A move to another topic of another channel is under both limits. The limit of channels is the shorter one here. */
async function channelsMove(t: CheckContext, ground: Ground): Promise<void> {
  const { mover, writer, exempt, channel, half, closed, hidden } = ground
  const elsewhere = await t.channel(mover, exempt)
  const values = () => ({ topic: t.unique('both'), stream_id: elsewhere.id, ...all })
  const seen = await post(writer, closed, hidden.topic, 'Seen.')
  await move(mover, seen, values())
  const stays = await fetched(writer, hidden.id)
  const isThere = stays.body.message.stream_id === closed.id
  t.that('MSG-EDIT-47', stays, isThere, `message ${hidden.id} in channel ${closed.id}: the mover cannot see it`)
  await whileLimited(t, mover, 100 * tooOldSeconds, async () => {
    const young = await post(writer, channel, half.topic, 'Young.')
    const refused = await move(mover, young, values())
    const isSo = refused.body?.code === code || refused.body?.code === 'BAD_REQUEST' // few may change channels
    t.that('MSG-EDIT-38', refused, isSo, `${code}: message ${half.id} is too old for another channel`)
    for (const who of exempt) succeeds(by(t, 'MSG-EDIT-39'), await move(who, young, values()), unlimited(who))
  })
}

/** Runs `body` while people below moderator may move messages only for a short time. */
function whileLimited(
  t: CheckContext,
  mover: Account,
  withinSeconds: number,
  body: () => Promise<void>,
  betweenSeconds = limitSeconds,
): Promise<void> {
  const limits = {
    move_messages_within_stream_limit_seconds: withinSeconds,
    move_messages_between_streams_limit_seconds: betweenSeconds,
  }
  return whileSet(t.person('owner'), [mover], limits, body)
}

/** Each group contains one of two people: `renamer` may move between topics, `other` may do the rest. */
async function groupsMove(t: CheckContext, renamer: Account, other: Account): Promise<void> {
  const owner = t.person('owner')
  const people = [renamer, other]
  // The owner creates both, because administrators of a channel may have more rights in it.
  const [here, there] = [await t.channel(owner, people), await t.channel(owner, people)]
  const topic = t.unique('groups')
  const id = await post(other, here, topic, 'Move me.')
  const { channels, topics, resolving } = movers
  if (topics.from <= t.level && hasEmptyTopic(t, await organizationOf(renamer))) {
    const nameless = await post(renamer, here, '', 'Move me.')
    const named = await move(other, nameless, { topic: t.unique('named') })
    refuses(by(t, 'MSG-EDIT-33'), named, `user ${other.userId} may not move a message to another topic`)
  }
  const registered = await organizationOf(owner)
  const former = (requirement: string, name: string): boolean =>
    t.that(requirement, registered, !(name in registered.body), `no \`${name}\``)
  if (channels.from <= t.level) former('LEVEL-310', 'realm_move_messages_between_streams_policy')
  if (topics.from <= t.level) former('LEVEL-316', 'realm_edit_topic_policy')
  if (resolving.from <= t.level) {
    const both = { topic: `✔ ${t.unique('both')}`, ...all }
    refuses(
      by(t, 'MSG-EDIT-33'),
      await move(other, id, both),
      'somebody who may only resolve topics cannot also rename one',
    )
    refuses(
      by(t, 'STATE-TOPIC-2'),
      await move(renamer, id, both),
      'somebody who may only rename topics cannot also resolve one',
    )
  }
  const name = t.unique('renamed')
  for (const [requirements, setting, values] of [
    [['MSG-EDIT-32', 'LEVEL-310'], channels, { stream_id: there.id }],
    [['MSG-EDIT-33', 'LEVEL-316'], topics, { topic: name }],
    [['STATE-TOPIC-2', 'LEVEL-367'], resolving, { topic: `✔ ${name}`, ...all }],
    [['STATE-TOPIC-7', 'LEVEL-367'], resolving, { topic: name, ...all }],
  ] as const) {
    if (setting.from > t.level) continue
    const [member, outsider] = setting === topics ? [renamer, other] : [other, renamer]
    const late = await move(outsider, id, values)
    const moved = await move(member, id, values)
    for (const one of requirements) {
      const isRefused = late.body?.code === 'BAD_REQUEST'
      t.that(one, late, isRefused, `a refusal: user ${outsider.userId} is not in \`${setting.name}\``)
      t.that(one, moved, moved.status === 200, `success: user ${member.userId} is in \`${setting.name}\``)
    }
  }
}

const all = { propagate_mode: 'change_all' }
const unlimited = ({ role }: Account): string => `somebody with the role ${role} has no limit`

function move(who: Account, id: number, values: object): Promise<Exchange> {
  return who.call('update-message', { message_id: id, ...quiet, ...values })
}
