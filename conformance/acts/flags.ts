import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'update-message-flags': ({ messageId }) => ({ messages: [messageId], op: 'add', flag: 'starred' }),
  'update-message-flags-for-narrow': ({ messageId }) => ({
    anchor: messageId,
    num_before: 0,
    num_after: 0,
    narrow: [],
    op: 'add',
    flag: 'starred',
  }),
  'mark-stream-as-read': ({ channel }) => ({ stream_id: channel.id }),
  'mark-topic-as-read': ({ channel, topic }) => ({ stream_id: channel.id, topic_name: topic }),
}
