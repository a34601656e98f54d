import { always, type Scene, type WorstCalls } from './scene.ts'

/** The maximum number for an account, with as much text as a form allows. */
function manyDrafts(draft: object): readonly object[] {
  return Array.from({ length: 1000 }, () => ({ type: '', to: [], topic: '', content: 'x'.repeat(500), ...draft }))
}

/** Ids of this many drafts of the reader, who has no others. */
async function kept({ reader }: Scene, drafts = manyDrafts({})): Promise<number[]> {
  for (const areKept of [false, true]) {
    await reader.must('PATCH', '/settings', { enable_drafts_synchronization: areKept })
  }
  return (await reader.must('POST', '/drafts', { drafts })).ids
}

const first = (ids: unknown): string => `/drafts/${(ids as number[])[0]}`

export const worstCalls: WorstCalls = {
  'get-drafts': [{ prepare: (scene) => kept(scene), call: always('GET', '/drafts') }],
  'create-drafts': [
    {
      what: 'each for another channel',
      prepare: async (scene) => {
        await kept(scene, [])
        const { subscriptions } = await scene.reader.must('GET', '/users/me/subscriptions')
        return subscriptions.map(({ stream_id }: { stream_id: number }) => stream_id)
      },
      call: ({ reader }, ids) => {
        const channelIds = ids as number[]
        const drafts = manyDrafts({ type: 'stream' }).map((draft, index) => ({
          ...draft,
          to: [channelIds[index % channelIds.length]],
        }))
        return reader.post('/drafts', { drafts })
      },
    },
    {
      what: 'for 500 people each',
      prepare: (scene) => kept(scene, []),
      call: ({ reader, organization }) => {
        const to = organization.userIds.slice(0, 500)
        return reader.post('/drafts', { drafts: manyDrafts({ type: 'private', to, content: 'x' }).slice(0, 300) })
      },
    },
  ],
  'update-draft': [
    {
      prepare: (scene) => kept(scene),
      call: ({ reader }, ids) => {
        const draft = { type: '', to: [], topic: '', content: 'y'.repeat(10_000) }
        return reader.patch(first(ids), { draft })
      },
    },
  ],
  'delete-draft': [{ prepare: (scene) => kept(scene), call: ({ reader }, ids) => reader.delete(first(ids)) }],
}
