import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'update-user-topic': ({ channel, topic }) => ({ stream_id: channel.id, topic, visibility_policy: 3 }),
  'mute-topic': async ({ user, channel }, t) => ({
    stream_id: channel.id,
    topic: t.unique(user.fullName).slice(-40),
    op: 'add',
  }),
}
