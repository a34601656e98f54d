import { EventQueue } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effectNamed, effectRule, type Shows } from '../../kernel/effect.ts'
import { heardSoFar } from '../../kernel/listening.ts'
import { post } from '../../kernel/messaging.ts'
import { newPerson } from '../../kernel/people-of-roles.ts'
import type { Exchange } from '../../wire/http.ts'
import { isRefused, type Json, listOf, objectsIn } from '../../wire/values.ts'
import { type RefusedRound, type RefusedStage, refusedRounds } from './refused-deeds.ts'
import { changesOf, type Frame, type Snapshot, snapshotOf } from './snapshot.ts'

const readers = ['user', 'other'] as const

/** A refused call has no partial effect: nobody sees a change or receives an event. */
export const checks: readonly Check[] = [
  {
    ...effectNamed(
      'frame/refused',
      'a refused request changes nothing, even if a part of it was possible',
      async (t, shows) => {
        const stage = await makeStage(t)
        const frame: Frame = {
          userIds: new Set(readers.map((who) => stage[who].userId)),
          channelIds: [stage.open.id, stage.second.id],
          messageIds: stage.messages,
        }
        const look = (): Promise<Snapshot[]> => Promise.all(readers.map((who) => snapshotOf(t, frame, stage[who])))
        let before = await look()
        for (const round of refusedRounds) {
          const queues = await Promise.all(readers.map((who) => EventQueue.open(stage[who], { event_types: types })))
          const areRefused = await refuses(t, shows, stage, round)
          // If servers may differ, a partial change is a deviation, not a failure.
          const holds: Shows = (exchange, isRight, expected) =>
            round.isSure
              ? shows(exchange, isRight, expected)
              : t.thatOrDeviates(effectRule, effectRule, exchange, isRight, expected)
          const judges: Shows = areRefused ? holds : () => true
          for (const [index, who] of readers.entries()) {
            const [queue] = queues.slice(index)
            const heard = queue && (await heardSoFar(shows, [queue], stage.admin, stage[who]))
            for (const { events, exchange } of heard ?? []) {
              const told = events.slice(0, -1).find((event) => isAbout(stage, frame, event))
              judges(
                exchange,
                told === undefined,
                `no event about what was refused when ${round.name}; but ${text(told)}`,
              )
            }
          }
          const after = await look()
          for (const [index, was] of before.entries()) {
            const is = after[index]
            if (is) isSame(judges, was, is, `for user ${stage[readers[index] ?? 'user'].userId} when ${round.name}`)
          }
          const listed = await stage.admin.must('get-streams')
          const made = objectsIn(listed.body.streams).find(({ name }) => name === stage.fresh)
          judges(
            listed,
            made === undefined,
            `no channel "${stage.fresh}": the request that would have created it was refused`,
          )
          before = after
        }
      },
      effectRule,
    ),
    isCostly: true,
  },
]

const types = [
  ...['message', 'update_message', 'subscription', 'stream', 'realm_user', 'user_settings', 'user_status'],
  ...['alert_words', 'user_topic'],
]

async function makeStage(t: CheckContext): Promise<RefusedStage> {
  const [user, other] = [await t.newUser(), await t.newUser()]
  const admin = await newPerson(t, 'administrator')
  if (admin === undefined) return t.leaveOut('needs somebody who may make administrators')
  const [open, second] = [await t.channel(user, [other]), await t.channel(user)]
  const hidden = await t.channel(other, [], true)
  const topic = 'refused'
  const messages = [await post(user, open, topic, 'First.'), await post(other, open, topic, 'Second.')] as const
  await user.must('update-settings', { starred_message_counts: false })
  await user.must('update-own-status', { status_text: 'here', emoji_name: 'octopus' })
  await user.must('add-alert-words', { alert_words: ['kept'] })
  if (t.isParley) await user.must('update-bot-storage', { storage: { kept: 'so' } })
  return { admin, user, other, open, second, hidden, messages, fresh: t.unique('Refused') }
}

/** Whether every call was refused. Where some succeed, changes are expected. */
async function refuses(t: CheckContext, shows: Shows, stage: RefusedStage, round: RefusedRound): Promise<boolean> {
  let areRefused = true
  for (const { who, operation, values, isOurs = false } of round.deeds(stage)) {
    if ((isOurs && !t.isParley) || !t.deployment.isAsked(operation)) continue
    const exchange: Exchange = await stage[who].call(operation, values)
    areRefused &&= isRefused(exchange)
    if (t.isParley) shows(exchange, isRefused(exchange), 'a refusal: some of it cannot be done')
  }
  return areRefused
}

/** Ignores events about users and channels that other checks create at the same time. */
function isAbout({ fresh }: RefusedStage, { userIds, channelIds }: Frame, event: Json): boolean {
  const { type, op, person, stream_id: one, stream_ids: some, streams } = event
  const channels = [...listOf(some), ...objectsIn(streams).map(({ stream_id: id }) => id), one]
  const isOfChannels =
    channels.some((id) => channelIds.includes(id)) || objectsIn(streams).some(({ name }) => name === fresh)
  if (type === 'realm_user') return userIds.has(person?.user_id)
  if (type === 'user_status') return userIds.has(event.user_id)
  if (type === 'stream' || (type === 'subscription' && String(op).startsWith('peer_'))) return isOfChannels
  return type !== 'heartbeat'
}

function isSame(judges: Shows, before: Snapshot, after: Snapshot, whose: string): void {
  for (const [exchange, says] of changesOf(before, after, `as before ${whose}`)) judges(exchange, false, says)
  const [any] = after.values()
  if (any !== undefined) judges(any.exchange, true, `everything as before ${whose}`)
}

function text(event: Json): string {
  return JSON.stringify(event)?.slice(0, 300) ?? 'none came'
}
