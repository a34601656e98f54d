import fc from 'fast-check'
import type { Account } from '../deployment/account.ts'
import type { Scene } from '../deployment/scene.ts'
import { kind, some } from '../laws/action-kind.ts'
import { listOf } from '../wire/values.ts'
import type { Requests } from './right-request.ts'
import { FAR_AWAY } from './scheduled-messages.ts'

const since = 381
/** From then on they can be listed, deleted and heard of. */
const listedSince = 399

export const requests: Requests = {
  'create-reminder': async ({ user, messageId }) => {
    await removeOurs(user)
    return { message_id: messageId, scheduled_delivery_timestamp: FAR_AWAY }
  },
  'delete-reminder': async (scene) => ({ reminder_id: await newReminder(scene) }),
}

async function newReminder({ user, messageId }: Scene): Promise<number> {
  await removeOurs(user)
  const values = { message_id: messageId, scheduled_delivery_timestamp: FAR_AWAY }
  return (await user.must('create-reminder', values)).body.reminder_id
}

/** Or an account would have no more room. */
async function removeOurs(user: Account): Promise<void> {
  const { body } = await user.must('get-reminders')
  for (const { reminder_id, scheduled_delivery_timestamp: at } of listOf(body.reminders)) {
    if (at === FAR_AWAY) await user.must('delete-reminder', { reminder_id })
  }
}

interface Kept {
  readonly id: number
  readonly owner: Account
}

export const actions = [
  kind(
    'ask for reminder',
    1,
    ({ observer }) => ({ who: observer, message: some, note: fc.constantFrom('', 'Ask *Robin*.') }),
    async (world, { who, message, note }) => {
      const [owner, { id: message_id }] = [world.person(who), world.message(message) ?? {}]
      if (message_id === undefined) return undefined
      const values = { message_id, scheduled_delivery_timestamp: FAR_AWAY + message, note }
      const answer = await owner.call('create-reminder', values)
      if (answer.status !== 200) return answer
      const id = Number(answer.body.reminder_id)
      world.kept<Kept>('reminders').push({ id, owner })
      world.atEnd(() => owner.call('delete-reminder', { reminder_id: id }))
      return answer
    },
    { since },
  ),
  kind(
    'delete reminder',
    1,
    ({ observer }) => ({ who: observer }),
    async (world, { who }) => {
      const all = world.kept<Kept>('reminders')
      const found = all.find(({ owner }) => owner === world.person(who)) ?? all[0]
      if (found) all.splice(all.indexOf(found), 1)
      return found?.owner.call('delete-reminder', { reminder_id: found.id })
    },
    { since: listedSince },
  ),
]
