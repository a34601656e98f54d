import type { Scene } from '../deployment/scene.ts'
import type { Requests } from './right-request.ts'

const poll = JSON.stringify({ widget_type: 'poll', extra_data: { question: 'Which?', options: [] } })

export const requests: Requests = {
  'send-message': ({ channel, topic }) => ({ type: 'stream', to: channel.id, topic, content: 'Another message.' }),
  'render-message': () => ({ content: '**bold**' }),
  'get-messages': ({ messageId }) => ({ anchor: messageId, num_before: 1, num_after: 1 }),
  'check-messages-match-narrow': ({ messageId }) => ({ msg_ids: [messageId], narrow: [] }),
  'get-message': ({ messageId }) => ({ message_id: messageId }),
  'update-message': ({ messageId }) => ({ message_id: messageId, content: 'Edited.' }),
  'delete-message': async (scene, t) => ({
    as: t.person('administrator'),
    values: { message_id: await newMessage(scene) },
  }),
  'get-message-history': ({ messageId }) => ({ message_id: messageId }),
  'get-read-receipts': ({ messageId }) => ({ message_id: messageId }),
  'add-submessage': async (scene) => ({ message_id: await newMessage(scene), msg_type: 'widget', content: poll }),
}

export async function newMessage({ user, channel, topic }: Scene): Promise<number> {
  const values = { type: 'stream', to: channel.id, topic, content: 'One more message.' }
  return Number((await user.must('send-message', values)).body.id)
}
