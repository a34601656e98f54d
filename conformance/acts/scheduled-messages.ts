import fc from 'fast-check'
import type { Values } from '../deployment/account.ts'
import type { Scene } from '../deployment/scene.ts'
import { deletion, kind, some } from '../laws/action-kind.ts'
import { type Owned, oldestOf, type World } from '../laws/world.ts'
import type { Requests } from './right-request.ts'

/** UNIX seconds, in 2036: a run's messages are only sent at their time if a check waits for that. */
export const FAR_AWAY = 2_082_787_200

const mark = 'Scheduled by a conformance run.'

export const requests: Requests = {
  'create-scheduled-message': toChannel,
  'update-scheduled-message': async (scene) => ({
    scheduled_message_id: await newScheduledMessage(scene),
    content: mark,
  }),
  'delete-scheduled-message': async (scene) => ({ scheduled_message_id: await newScheduledMessage(scene) }),
}

function toChannel({ channel, topic }: Scene): Values {
  return { type: 'stream', to: channel.id, topic, content: mark, scheduled_delivery_timestamp: FAR_AWAY }
}

async function newScheduledMessage(scene: Scene): Promise<number> {
  return (await scene.user.must('create-scheduled-message', toChannel(scene))).body.scheduled_message_id
}

interface Writing {
  readonly who: number
  readonly channel: number | undefined
  readonly other: number
  readonly content: string
  readonly hours: number
}

function valuesOf(world: World, { channel, other, content, hours }: Writing): Values {
  const place =
    channel === undefined
      ? { type: 'private', to: [world.person(other).userId] }
      : { type: 'stream', to: world.channel(channel).id, topic: 'lunch' }
  return { ...place, content: world.text(content), scheduled_delivery_timestamp: FAR_AWAY + 3600 * hours }
}

async function schedule(world: World, writing: Writing) {
  const owner = world.person(writing.who)
  const answer = await owner.call('create-scheduled-message', valuesOf(world, writing))
  const made = { id: Number(answer.body?.scheduled_message_id), owner }
  return world.keep<Owned>('scheduled messages', answer, made, () => remove(made))
}

const remove = ({ id, owner }: Owned) => owner.call('delete-scheduled-message', { scheduled_message_id: id })
const oldest = (world: World, who: number) =>
  oldestOf(world, 'scheduled messages', who, () =>
    schedule(world, { who, channel: undefined, other: who, content: 'Later.', hours: 0 }),
  )

export const actions = [
  kind(
    'schedule message',
    ({ observer, who, content }) => ({
      who: observer,
      channel: fc.option(some, { nil: undefined }),
      other: who,
      content,
      hours: fc.nat({ max: 3 }),
    }),
    schedule,
  ),
  kind(
    'change scheduled message',
    ({ observer, content }) => ({
      who: observer,
      change: fc.oneof(
        fc.record({ content }),
        fc.record({ scheduled_delivery_timestamp: fc.constantFrom(FAR_AWAY - 60, FAR_AWAY + 60) }),
      ),
    }),
    async (world, { who, change }) => {
      const found = await oldest(world, who)
      const values = 'content' in change ? { content: world.text(change.content) } : change
      return found?.owner.call('update-scheduled-message', { scheduled_message_id: found.id, ...values })
    },
  ),
  deletion('delete scheduled message', 'scheduled messages', oldest, remove),
]
