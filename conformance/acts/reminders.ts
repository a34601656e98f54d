import fc from 'fast-check'
import type { Account, Values } from '../deployment/account.ts'
import type { Scene } from '../deployment/scene.ts'
import { deletion, kind, some } from '../laws/action-kind.ts'
import { type Owned, oldestOf, type World } from '../laws/world.ts'
import type { Requests } from './right-request.ts'
import { FAR_AWAY } from './scheduled-messages.ts'

const since = 381
/** From this level reminders can be listed and deleted, and have events. */
const listedSince = 399

export const requests: Requests = {
  'create-reminder': ofMessage,
  'delete-reminder': async (scene) => ({ reminder_id: await newReminder(scene) }),
}

function ofMessage({ messageId }: Scene): Values {
  return { message_id: messageId, scheduled_delivery_timestamp: FAR_AWAY }
}

async function newReminder(scene: Scene): Promise<number> {
  return (await scene.user.must('create-reminder', ofMessage(scene))).body.reminder_id
}

/** A reminder of an existing message, or of a new one to oneself. */
async function askFor(world: World, owner: Account, number: number, note: string) {
  const message_id = world.message(number)?.id ?? (await sendToOneself(owner))
  const values = { message_id, scheduled_delivery_timestamp: FAR_AWAY + number, note }
  const answer = await owner.call('create-reminder', values)
  const made = { id: Number(answer.body?.reminder_id), owner }
  return world.keep<Owned>('reminders', answer, made, () => remove(made))
}

async function sendToOneself(owner: Account): Promise<number> {
  const { body } = await owner.must('send-message', { type: 'private', to: [owner.userId], content: 'Remind me.' })
  return body.id
}

const remove = ({ id, owner }: Owned) => owner.call('delete-reminder', { reminder_id: id })
const oldest = (world: World, who: number) =>
  oldestOf(world, 'reminders', who, () => askFor(world, world.person(who), 0, ''))

export const actions = [
  kind(
    'ask for reminder',
    ({ observer }) => ({ who: observer, message: some, note: fc.constantFrom('', 'Ask *Robin*.') }),
    (world, { who, message, note }) => askFor(world, world.person(who), message, note),
    { since },
  ),
  deletion('delete reminder', 'reminders', oldest, remove, { since: listedSince }),
]
