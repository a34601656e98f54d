import { FAR_AWAY } from '../acts/scheduled-messages.ts'
import type { Account, Values } from '../deployment/account.ts'
import { described } from '../deployment/described.ts'
import { EventQueue } from '../deployment/event-queue.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { answerWhen, clockOf, postTo } from '../kernel/messaging.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused, type Json, listOf } from '../wire/values.ts'
import { by, refuses } from './outcomes.ts'
import { goes, type OwnKind, remove, rowIn, shownTo, typesOf } from './own-things.ts'

const operations = ['create-reminder', 'get-reminders', 'delete-reminder'] as const
const fields = [
  ...['content', 'failed', 'reminder_id', 'reminder_target_message_id', 'rendered_content'],
  ...['scheduled_delivery_timestamp', 'to', 'type'],
]
const kind: OwnKind = { one: 'reminder', all: 'reminders', id: 'reminder_id' }
const longestNote = 1000
/** Maximum number of seconds from the chosen time to the message. */
const patience = 30
/** Seconds by which the clock of a test server moves: too few for an event queue to expire. */
const untilDue = 120

export const checks: readonly WrittenCheck[] = [
  {
    id: 'reminders/kept',
    title: 'reminders are listed by time for their owner, until they are deleted',
    requirements: [
      ...ids('REMIND', [1, 3, 4, 5]),
      ...['REC-5', 'REC-8', 'STATE-OTHER-3', 'LEVEL-381', 'EV-OTHER-14', 'ERR-HTTP-1', 'CONTRACT-EFFECT'],
    ],
    also: operations,
    async run(t) {
      const { user, other, messageId } = await t.scene()
      const queue = await EventQueue.open(user, typesOf(kind))
      const made: number[] = []
      for (const at of [FAR_AWAY + 20, FAR_AWAY + 10, FAR_AWAY + 15]) {
        const note = made.length === 0 || t.level < 415 ? undefined : t.unique('note')
        const values = { message_id: messageId, scheduled_delivery_timestamp: at, ...(note && { note }) }
        const answer = await user.call('create-reminder', values)
        t.that('LEVEL-381', answer, answer.status === 200, 'a success')
        if (!t.that('REMIND-4', answer, answer.status === 200, 'a success, with or without a note')) return
        const id = answer.body.reminder_id
        for (const requirement of ['REMIND-5', 'REC-5'])
          t.that(requirement, answer, Number.isInteger(id), 'an integer `reminder_id`')
        made.push(id)
        const shown = await shownTo(by(t, 'EV-OTHER-14'), user, queue, kind, 'add', [id])
        if (shown.length === 0) return
        for (const [seen, [row]] of shown) {
          const isWhole = fields.every((name) => row?.[name] !== undefined)
          t.that('REC-8', seen, isWhole, `a reminder ${id} with the fields ${fields}`)
          const isMine = row?.type === 'private' && listOf(row?.to).join() === `${user.userId}` && row?.failed === false
          t.that('REC-8', seen, isMine, `private, to [${user.userId}], not failed`)
          const isMeant = row?.reminder_target_message_id === messageId
          t.that('REMIND-1', seen, isMeant, `\`reminder_target_message_id\` ${messageId}`)
          const isNoted = [row?.content, row?.rendered_content].every((text) => String(text).includes(note ?? ''))
          t.that('REMIND-3', seen, isNoted, `a \`content\` with the note ${note}, and in HTML`)
          const isTimely = row?.scheduled_delivery_timestamp === at
          t.that('CONTRACT-EFFECT', seen, isTimely, `\`scheduled_delivery_timestamp\` ${at}`)
        }
      }
      const [late, early, middle] = made
      const all = await user.must('get-reminders')
      const order = idsIn(all).filter((id) => made.includes(id))
      const byTime = `${early},${middle},${late}`
      t.that('STATE-OTHER-3', all, order.join() === byTime, `the reminders ${byTime}, by their times`)
      const foreign = await other.must('get-reminders')
      t.that(
        'CONTRACT-EFFECT',
        foreign,
        idsIn(foreign).every((id) => !made.includes(id)),
        'none of somebody else',
      )
      isUnknown(t, await remove(other, kind, early))
      for (const reminder_id of made) {
        await goes(t, by(t, 'STATE-OTHER-3'), user, queue, kind, reminder_id)
        isUnknown(t, await remove(user, kind, reminder_id))
      }
      isUnknown(t, await remove(user, kind, idOfNothing))
    },
  },
  {
    id: 'reminders/come',
    movesClock: true,
    title: 'a reminder arrives at its time, from the notification bot, with its note and a link',
    requirements: [...ids('REMIND', [2, 3, 6]), 'LEVEL-415', 'STATE-OTHER-3', 'CONTRACT-EFFECT'],
    also: ['create-reminder'],
    async run(t) {
      const { user, messageId } = await t.scene()
      const types = ['reminders', 'message']
      const queue = await EventQueue.open(user, { event_types: types, fetch_event_types: ['reminders'] })
      const lines = [t.unique('note'), t.unique('note')]
      const note = lines.join('\n')
      const lost = await notesOfOthers(t, user)
      const { at, answer } = await soon(t, user, 'create-reminder', { message_id: messageId, note })
      if (!t.that('LEVEL-415', answer, answer.status === 200, 'a success, with a note')) return
      const { reminder_id } = answer.body
      const gone = await queue.until({ type: 'reminders', op: 'remove', reminder_id })
      t.that(
        'STATE-OTHER-3',
        gone.exchange,
        gone.event !== undefined,
        `an event that the reminder is gone; but ${gone.lacked}`,
      )
      const isOne = ({ type, message }: Json): boolean =>
        type === 'message' && message.sender_id !== user.userId && !message.content.includes(lost)
      const { event, exchange, lacked } = await queue.until(isOne)
      const { message } = (event ?? {}) as Json
      const isThere = message?.timestamp >= at && message?.timestamp <= at + patience
      if (!t.that('REMIND-2', exchange, isThere, `a direct message at ${at}; but ${lacked}`)) return
      t.that('REMIND-6', exchange, /^notification-bot@/.test(message.sender_email), 'a message of the notification bot')
      t.that(
        'REMIND-3',
        exchange,
        lines.every((line) => String(message.content).includes(line)),
        `the note ${note}`,
      )
      const isLinked = String(message.content).includes(`${messageId}`)
      t.that('CONTRACT-EFFECT', exchange, isLinked, `a link to message ${messageId}`)
      const left = await user.must('get-reminders')
      t.that('STATE-OTHER-3', left, !idsIn(left).includes(reminder_id), 'no longer the reminder that came')
      const newest = () => user.must('get-messages', { anchor: 'newest', num_before: 10, num_after: 0 })
      const hasLost = ({ body }: Exchange): boolean => body.messages.some((one: Json) => one.content.includes(lost))
      const seen = await answerWhen(user, newest, hasLost)
      t.that('REMIND-3', seen, hasLost(seen), `the note ${lost}, although its message was deleted`)
    },
  },
  {
    id: 'reminders/refused',
    title: 'an impossible reminder is refused',
    requirements: [...ids('REMIND', [7, 8]), 'LIMIT-25', 'CONTRACT-EFFECT'],
    async run(t) {
      const { user, messageId } = await t.scene()
      const registered = await described(user, ['realm'])
      const most = registered.body.max_reminder_note_length
      t.that('LIMIT-25', registered, most === longestNote, `\`max_reminder_note_length\` ${longestNote}`)
      const before = idsIn(await user.must('get-reminders')).join()
      const right: Values = { message_id: messageId, scheduled_delivery_timestamp: FAR_AWAY }
      for (const left of Object.keys(right)) {
        const answer = await user.call('create-reminder', { ...right, [left]: undefined })
        const isSaid = answer.body?.code === 'REQUEST_VARIABLE_MISSING' && answer.body?.var_name === left
        t.that('REMIND-7', answer, isSaid, `REQUEST_VARIABLE_MISSING of ${left}`)
      }
      const long = 'x'.repeat(longestNote + 1)
      const tooLong = await user.call('create-reminder', { ...right, note: long })
      t.that('LIMIT-25', tooLong, isRefused(tooLong), 'a refusal of a longer note')
      t.refusedWith('REMIND-8', tooLong, `Maximum reminder note length: ${longestNote} characters`)
      const unknown = await user.call('create-reminder', { ...right, message_id: idOfNothing })
      t.refusedWith('REMIND-8', unknown, 'Invalid message(s)')
      const past = await user.call('create-reminder', { ...right, scheduled_delivery_timestamp: 1_500_000_000 })
      t.refusedWith('REMIND-8', past, 'Scheduled delivery time must be in the future.')
      const after = await user.must('get-reminders')
      t.that('CONTRACT-EFFECT', after, idsIn(after).join() === before, 'the reminders from before')
    },
  },
]

/** Sets reminders of the longest message, and of one that is deleted. @returns the latter's note, due within seconds */
async function notesOfOthers(t: CheckContext, user: Account): Promise<string> {
  const { body } = await described(user, ['realm'])
  const [ofLong, ofLost] = [t.unique('long'), t.unique('lost')]
  const long = await postTo(user, [user], 'x'.repeat(Number(body.max_message_length)))
  const later = { message_id: long, note: ofLong, scheduled_delivery_timestamp: FAR_AWAY }
  const { reminder_id } = (await user.must('create-reminder', later)).body
  const listed = await user.must('get-reminders')
  const isWhole = String(rowIn(listed, kind, reminder_id)?.content).includes(ofLong)
  t.that('REMIND-3', listed, isWhole, `the note ${ofLong} of the longest message`)
  const isLinked = String(rowIn(listed, kind, reminder_id)?.content).includes(`near/${long}`)
  t.that('CONTRACT-EFFECT', listed, isLinked, `a link to message ${long}, which is a direct one`)
  await user.must('delete-reminder', { reminder_id })
  const message_id = await postTo(user, [user], 'Delete me.')
  const now = Math.floor(clockOf(listed))
  const at = now + (t.deployment.standIn ? untilDue - 1 : 3)
  await user.must('create-reminder', { message_id, note: ofLost, scheduled_delivery_timestamp: at })
  await user.call('delete-message', { message_id }) // an organization may forbid it
  return ofLost
}

/** Schedules something a few seconds ahead, as soon as the server allows, or moves the clock until it is due. */
export async function soon(t: CheckContext, user: Account, operation: string, values: Values) {
  const now = Math.floor(clockOf(await user.must('get-own-user')))
  const { standIn } = t.deployment
  if (standIn) {
    const at = now + untilDue
    const answer = await user.call(operation, { ...values, scheduled_delivery_timestamp: at })
    await standIn.advance(untilDue * 1000)
    return { at, answer }
  }
  for (const at of [now + 1, now + 2]) {
    const answer = await user.call(operation, { ...values, scheduled_delivery_timestamp: at })
    if (!isRefused(answer)) return { at, answer }
  }
  const at = now + 5
  return { at, answer: await user.call(operation, { ...values, scheduled_delivery_timestamp: at }) }
}

function idsIn({ body }: Exchange): number[] {
  return listOf(body.reminders).map(({ reminder_id }: Json) => reminder_id)
}

function isUnknown(t: CheckContext, answer: Exchange): void {
  refuses(by(t, 'CONTRACT-EFFECT'), answer, 'the caller has no such reminder')
  t.that('ERR-HTTP-1', answer, answer.status === 404, 'HTTP status 404')
}
