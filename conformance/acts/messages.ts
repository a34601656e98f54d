import fc from 'fast-check'
import type { Scene } from '../deployment/scene.ts'
import { kind, some } from '../laws/action-kind.ts'
import { ofAdministrator, type Requests } from './right-request.ts'

const poll = JSON.stringify({ widget_type: 'poll', extra_data: { question: 'Which?', options: [] } })

export const requests: Requests = {
  'send-message': ({ channel, topic }) => ({ type: 'stream', to: channel.id, topic, content: 'Another message.' }),
  'render-message': () => ({ content: '**bold**' }),
  'get-messages': ({ messageId }) => ({ anchor: messageId, num_before: 1, num_after: 1 }),
  'check-messages-match-narrow': ({ messageId }) => ({ msg_ids: [messageId], narrow: [] }),
  'get-message': ({ messageId }) => ({ message_id: messageId }),
  'update-message': ({ messageId }) => ({ message_id: messageId, content: 'Edited.' }),
  'delete-message': async (scene, t) => ofAdministrator(t, { message_id: await newMessage(scene) }),
  'get-message-history': ({ messageId }) => ({ message_id: messageId }),
  'get-read-receipts': ({ messageId }) => ({ message_id: messageId }),
  'add-submessage': async (scene) => ({ message_id: await newMessage(scene), msg_type: 'widget', content: poll }),
}

export async function newMessage({ user, channel, topic }: Scene): Promise<number> {
  const values = { type: 'stream', to: channel.id, topic, content: 'One more message.' }
  return Number((await user.must('send-message', values)).body.id)
}

const readBySender = fc.constantFrom(true, false, undefined)
/** Prefix of the names of resolved topics. */
const RESOLVED = '✔ '

const isOwn = fc.constantFrom(true, true, true, false)

export const actions = [
  kind(
    'send',
    ({ isOurs, topic, content }) => ({
      channel: some,
      topic,
      content,
      ...(isOurs && { byName: fc.boolean(), readBySender }),
    }),
    (world, { who, channel, topic, content, byName, readBySender }) => {
      const { id, name } = world.channel(channel)
      const values = { type: 'stream', to: byName ? name : id, topic, read_by_sender: readBySender }
      return world.send(world.person(who), { ...values, content: world.text(content) })
    },
    { weight: 8 },
  ),
  kind(
    'send direct',
    ({ isOurs, who, content }) => ({
      to: fc.uniqueArray(who, { minLength: 1, maxLength: isOurs ? 4 : 2 }),
      content,
      ...(isOurs && { byEmail: fc.boolean(), readBySender }),
    }),
    (world, { who, to, content, byEmail, readBySender }) => {
      const sender = world.person(who)
      const others = world.named(to, byEmail).filter((one) => one !== sender.userId)
      if (others.length === 0) return undefined
      const values = { type: 'direct', to: others, read_by_sender: readBySender }
      return world.send(sender, { ...values, content: world.text(content) })
    },
    { weight: 4 },
  ),
  kind(
    'edit',
    ({ isOurs, content }) => ({
      message: some,
      content: isOurs ? fc.oneof({ weight: 9, arbitrary: content }, fc.constant('')) : content,
      ...(isOurs && { isOwn }),
    }),
    (world, { who, message, content, isOwn }) => {
      const { id, author } = world.message(message) ?? {}
      const by = isOwn === false ? world.person(who) : author
      return by?.call('update-message', { message_id: id, content: world.text(content) })
    },
    { weight: 6 },
  ),
  kind(
    'move',
    ({ isOurs, topic }) => ({
      message: some,
      topic,
      mode: fc.constantFrom('change_one', 'change_later', 'change_all'),
      ...(isOurs && { into: fc.option(some), isTold: fc.boolean() }),
    }),
    async (world, { who, message, topic, mode, into, isTold = false }) => {
      const one = world.message(message)
      if (!one?.channel) return undefined
      const to = typeof into === 'number' ? world.channel(into) : one.channel
      const moved = await world.person(who).call('update-message', {
        message_id: one.id,
        topic,
        propagate_mode: mode,
        ...(to !== one.channel && { stream_id: to.id }),
        send_notification_to_new_thread: isTold,
        send_notification_to_old_thread: isTold,
      })
      if (moved.status === 200) one.channel = to
      return moved
    },
    { weight: 4 },
  ),
  kind(
    'resolve',
    () => ({ message: some }),
    async (world, { who, message }) => {
      const { id: message_id, channel } = world.message(message) ?? {}
      if (!channel) return undefined
      const by = world.person(who)
      const { status, body } = await by.call('get-message', { message_id })
      if (status !== 200) return undefined
      const topic = String(body.message.subject)
      const wanted = topic.startsWith(RESOLVED) ? topic.slice(RESOLVED.length) : `${RESOLVED}${topic}`
      return by.call('update-message', { message_id, topic: wanted, propagate_mode: 'change_all' })
    },
    { weight: 2 },
  ),
  kind(
    'delete',
    ({ isOurs }) => ({ message: some, ...(isOurs && { isOwn }) }),
    async (world, { who, message, isOwn }) => {
      const { id, author } = world.message(message) ?? {}
      if (id === undefined) return undefined
      const answer = await (isOwn === false ? world.person(who) : author)?.call('delete-message', { message_id: id })
      if (answer?.status === 200) world.deleted.add(id)
      return answer
    },
    { weight: 2 },
  ),
]
