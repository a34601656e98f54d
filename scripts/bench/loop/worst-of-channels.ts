import { always, type Scene, type WorstCalls } from './scene.ts'

/** Principals times channels. */
const MOST_PAIRS = 20_000
const MOST_LEAVING = 1000
const MOST_CHANNELS = 1000
const everybody = ({ organization }: Scene) => organization.userIds.slice(0, MOST_PAIRS)
const seededNames = (count: number) => Array.from({ length: count }, (_, index) => `Seeded ${index + 1}`)
const crowdPath = ({ organization }: Scene) => `/users/me/subscriptions/${organization.crowdId}`

/** Subscribes the owner to the channels that the call unsubscribes. */
const ownerFollows = (scene: Scene) =>
  scene.as('owner').must('POST', '/users/me/subscriptions', {
    subscriptions: seededNames(MOST_CHANNELS).map((name) => ({ name })),
  })
const ownerLeaves = (scene: Scene) =>
  scene.as('owner').must('DELETE', '/users/me/subscriptions', { subscriptions: seededNames(MOST_CHANNELS) })

/** A new channel with everybody in it. */
async function crowdOf(scene: Scene, prefix: string): Promise<number> {
  const name = scene.unique(prefix)
  const owner = scene.as('owner')
  await owner.must('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals: everybody(scene) })
  return (await owner.must('GET', '/get_stream_id', { stream: name })).stream_id
}

export const worstCalls: WorstCalls = {
  'get-subscriptions': [
    { what: 'with subscribers', call: always('GET', '/users/me/subscriptions', { include_subscribers: true }) },
    { what: 'without', call: always('GET', '/users/me/subscriptions') },
  ],
  subscribe: [
    {
      what: '10,000 people to 2 new channels',
      call: (scene) =>
        scene.as('owner').post('/users/me/subscriptions', {
          subscriptions: [{ name: scene.unique('New') }, { name: scene.unique('New') }],
          principals: everybody(scene),
        }),
    },
    {
      what: '20 people to 1,000 new channels',
      call: (scene) =>
        scene.as('owner').post('/users/me/subscriptions', {
          subscriptions: Array.from({ length: MOST_CHANNELS }, () => ({ name: scene.unique('New') })),
          principals: scene.organization.userIds.slice(0, 20),
        }),
    },
    {
      what: 'oneself to 1,000 channels',
      prepare: ownerLeaves,
      call: always(
        'POST',
        '/users/me/subscriptions',
        { subscriptions: seededNames(MOST_CHANNELS).map((name) => ({ name, description: 'x'.repeat(500) })) },
        'owner',
      ),
    },
  ],
  'update-subscriptions': [
    {
      prepare: ownerFollows,
      call: always(
        'PATCH',
        '/users/me/subscriptions',
        {
          delete: seededNames(MOST_CHANNELS),
          add: Array.from({ length: MOST_CHANNELS }, (_, index) => ({ name: `Seeded ${index + 2000}` })),
        },
        'owner',
      ),
    },
  ],
  unsubscribe: [
    {
      what: 'oneself from 1,000 channels',
      prepare: ownerFollows,
      call: always('DELETE', '/users/me/subscriptions', { subscriptions: seededNames(MOST_CHANNELS) }, 'owner'),
    },
    {
      what: '1,000 people from a channel',
      prepare: (scene) =>
        scene.as('owner').must('POST', '/users/me/subscriptions', {
          subscriptions: [{ name: 'Crowd' }],
          principals: scene.organization.userIds.slice(0, MOST_LEAVING),
        }),
      call: always(
        'DELETE',
        '/users/me/subscriptions',
        ({ organization }) => ({
          subscriptions: ['Crowd'],
          principals: organization.userIds.slice(0, MOST_LEAVING),
        }),
        'owner',
      ),
    },
  ],
  'update-subscription-settings': [
    {
      what: '1,000 changes',
      call: always('POST', '/users/me/subscriptions/properties', ({ organization }) => ({
        subscription_data: organization.channelIds
          .slice(0, MOST_CHANNELS)
          .map((stream_id) => ({ stream_id, property: 'is_muted', value: true })),
      })),
    },
  ],
  'mute-topic': [
    {
      call: always('PATCH', '/users/me/subscriptions/muted_topics', ({ organization }) => ({
        stream_id: organization.crowdId,
        topic: 'topic 0',
        op: 'add',
      })),
    },
  ],
  'update-subscription-setting': [{ call: always('PATCH', crowdPath, { property: 'pin_to_top', value: true }) }],
  'get-stream-topics': [
    {
      what: '10,000 topics',
      call: always('GET', ({ organization }) => `/users/me/${organization.topicsChannelId}/topics`),
    },
  ],
  'get-subscription-status': [
    {
      call: always(
        'GET',
        ({ organization }) => `/users/${organization.userIds[0]}/subscriptions/${organization.crowdId}`,
      ),
    },
  ],
  'get-user-channels': [{ call: always('GET', ({ reader }) => `/users/${reader.userId}/channels`) }],
  'update-user-topic': [
    {
      call: always('POST', '/user_topics', ({ organization }) => ({
        stream_id: organization.crowdId,
        topic: 'topic 0',
        visibility_policy: 3,
      })),
    },
  ],
  'create-channel': [
    {
      what: '10,000 people',
      call: (scene) =>
        scene.as('owner').post('/channels/create', { name: scene.unique('New'), subscribers: everybody(scene) }),
    },
  ],
  'get-streams': [
    { call: always('GET', '/streams', { include_all: true, exclude_archived: false, include_default: true }) },
  ],
  'get-stream': [{ call: always('GET', ({ organization }) => `/streams/${organization.crowdId}`) }],
  'archive-stream': [
    {
      what: 'with 10,000 subscribers',
      prepare: (scene) => crowdOf(scene, 'To be archived'),
      call: (scene, id) => scene.as('owner').delete(`/streams/${id}`),
    },
  ],
  'delete-topic': [
    {
      what: '100 in 100 spellings, with 10,000 subscribers',
      prepare: async (scene) => {
        const topic = scene.unique('deleted')
        for (let count = 0; count < 100; count += 1) {
          // Letters are upper case where the number has a one bit.
          const spelt = [...topic].map((one, at) => ((count >> at) & 1 ? one.toUpperCase() : one)).join('')
          const message = { type: 'channel', to: scene.organization.crowdId, topic: spelt, content: 'x' }
          await scene.reader.must('POST', '/messages', message)
        }
        return topic
      },
      call: (scene, topic_name) =>
        scene.as('owner').post(`/streams/${scene.organization.crowdId}/delete_topic`, { topic_name }),
    },
  ],
  'update-stream': [
    {
      what: 'private and public, with 10,000 subscribers',
      call: (scene) =>
        scene.as('owner').patch(`/streams/${scene.organization.crowdId}`, {
          is_private: scene.turn(),
          history_public_to_subscribers: true,
        }),
    },
    {
      what: 'back from the archive, with 10,000 subscribers',
      async prepare(scene) {
        const id = await crowdOf(scene, 'Archived')
        await scene.as('owner').must('DELETE', `/streams/${id}`)
        return id
      },
      call: (scene, id) => scene.as('owner').patch(`/streams/${id}`, { is_archived: false }),
    },
    {
      what: 'a group of a thousand people',
      call: (scene) =>
        scene.as('owner').patch(`/streams/${scene.organization.crowdId}`, {
          can_administer_channel_group: {
            new: { direct_members: scene.organization.userIds.slice(scene.turn() ? 1 : 0, 1000), direct_subgroups: [] },
          },
        }),
    },
  ],
  'get-subscribers': [{ call: always('GET', ({ organization }) => `/streams/${organization.crowdId}/members`) }],
  'get-stream-email-address': [
    { call: always('GET', ({ organization }) => `/streams/${organization.crowdId}/email_address`) },
  ],
  'get-stream-id': [{ call: always('GET', '/get_stream_id', { stream: 'Crowd' }) }],
}
