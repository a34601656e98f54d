import { type Account, SetUpError } from '../../deployment/account.ts'
import type { Channel } from '../../deployment/leaving.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effectNamed, effectRule, type Shows } from '../../kernel/effect.ts'
import { post, postTo } from '../../kernel/messaging.ts'
import { newPerson } from '../../kernel/people-of-roles.ts'
import { type Change, type FramedDeed, framedRounds, type Stage } from './deeds.ts'
import { type Frame, type Pair, pairs, type Snapshot, snapshotOf, unchanged } from './snapshot.ts'

const readers = ['reader', 'other'] as const

/** A deed changes its subject wherever it appears, and nothing else, for every reader. */
export const checks: readonly Check[] = [
  {
    ...effectNamed(
      'frame/all',
      'what is done changes what it is about, wherever that shows, and nothing else',
      async (t, shows) => {
        const stage = await makeStage(t)
        const { author, reader, other, open, second, messages } = stage
        const frame: Frame = {
          userIds: new Set([author, reader, other].map(({ userId }) => userId)),
          channelIds: [open.id, second.id],
          messageIds: messages,
        }
        const look = (): Promise<Snapshot[]> => Promise.all(readers.map((who) => snapshotOf(t, frame, stage[who])))
        let before = await look()
        for (const round of framedRounds) {
          const done: FramedDeed[] = []
          for (const deed of round) if (await deed.does(stage)) done.push(deed) // an organization may forbid some
          const after = await look()
          for (const [index, who] of readers.entries()) {
            const [was, is] = [before[index], after[index]]
            if (was && is) holds(shows, stage, done, who, was, is)
          }
          before = after
        }
      },
      effectRule,
    ),
    isCostly: true,
  },
]

async function makeStage(t: CheckContext): Promise<Stage> {
  const [author, reader, other] = [await t.newUser(), await t.newUser(), await t.newUser()]
  const admin = await newPerson(t, 'administrator')
  if (admin === undefined) return t.leaveOut('needs somebody who may make administrators')
  const [open, second] = [await t.channel(author, [reader, other]), await t.channel(author, [reader])]
  const topic = 'framed'
  const messages = [
    await post(author, open, topic, 'First, **bold**.'),
    await post(author, open, topic, `Second, @**${reader.fullName}**.`),
    await postTo(author, [reader, other], 'Only for you two.'),
    await post(author, open, 'another', '/me waves.'),
    await post(author, open, topic, 'Not for long.'),
    await post(other, open, 'another', 'Last.'),
  ] as const
  for (const person of [author, reader]) {
    const answer = await person.call('add-reaction', { message_id: messages[1], emoji_name: 'tada' })
    if (answer.status !== 200) throw new SetUpError('add-reaction', answer)
  }
  await author.call('update-message', { message_id: messages[3], content: '/me waves again.' })
  for (const person of [reader, other]) await haveMuch(t, person, open, [messages[1], messages[5]], admin)
  await haveMuch(t, reader, second, [], admin)
  return { t, admin, author, reader, other, open, second, topic, messages }
}

/** Creates one of everything that must not change. */
async function haveMuch(
  t: CheckContext,
  person: Account,
  { id: stream_id }: Channel,
  messages: readonly number[],
  stranger: Account,
): Promise<void> {
  if (messages.length > 0) await person.must('update-message-flags', { messages, op: 'add', flag: 'starred' })
  await person.must('update-own-status', { status_text: 'here', emoji_name: 'octopus' })
  await person.must('add-alert-words', { alert_words: ['kept'] })
  await person.must('update-settings', { starred_message_counts: false, color_scheme: 2 })
  await person.call('mute-user', { muted_user_id: stranger.userId })
  for (const [property, value] of [
    ['color', '#445566'],
    ['pin_to_top', true],
    ['email_notifications', true],
    ['push_notifications', false],
  ]) {
    await person.must('update-subscription-settings', { subscription_data: [{ stream_id, property, value }] })
  }
  if (t.level < 170) return
  for (const [topic, visibility_policy] of [
    ['another', 2],
    ['quiet', 1],
  ]) {
    await person.must('update-user-topic', { stream_id, topic, visibility_policy })
  }
}

function holds(
  shows: Shows,
  stage: Stage,
  deeds: readonly FramedDeed[],
  who: (typeof readers)[number],
  before: Snapshot,
  after: Snapshot,
): void {
  const changes = deeds.flatMap((deed) => deed.changes(stage)).filter(({ of = who }) => of === who)
  const may = deeds.flatMap((deed) => deed.may?.(stage) ?? [])
  const name = deeds.map((deed) => deed.name).join(', ')
  const user = `user ${stage[who].userId}`
  for (const pair of pairs(before, after)) {
    const { key, subject, field, was, is, exchange } = pair
    const change = changes.find((each) => each.subject === subject && each.field === field)
    if (change !== undefined) hasChanged(shows, change, pair, `${key} for ${user}, since ${name}`)
    else if (was !== is && !may.some((each) => `${subject} ${field}`.startsWith(each))) {
      shows(exchange, false, unchanged(pair, `for ${user} as before ${name}`))
    }
  }
  const [any] = after.values()
  if (any === undefined) return
  const shown = new Set([...after.values()].map(({ subject, field }) => `${subject} ${field}`))
  const hidden = changes.find(({ subject, field, isSure }) => isSure && !shown.has(`${subject} ${field}`))
  shows(any.exchange, hidden === undefined, `\`${hidden?.field}\` of ${hidden?.subject} for ${user}, since ${name}`)
}

function hasChanged(shows: Shows, { value }: Change, { was, is, exchange }: Pair, what: string): void {
  const wanted = value === undefined ? undefined : JSON.stringify(value)
  const isRight = wanted === undefined ? is !== was : is === wanted
  const says = wanted === undefined ? `is not ${was} any more` : `is ${wanted}; but it is ${is ?? 'absent'}`
  shows(exchange, isRight, `${what}, ${says}`)
}
