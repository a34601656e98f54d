import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'get-stream': ({ channel }) => ({ stream_id: channel.id }),
  'get-stream-id': ({ channel }) => ({ stream: channel.name }),
  'get-stream-topics': ({ channel }) => ({ stream_id: channel.id }),
  'get-subscribers': ({ channel }) => ({ stream_id: channel.id }),
  'archive-stream': async ({ user }, t) => {
    const channel = await t.channel(user)
    t.deployment.forget(channel) // archived a second time, it would look like one that stays
    return { as: t.person('administrator'), values: { stream_id: channel.id } }
  },
}
