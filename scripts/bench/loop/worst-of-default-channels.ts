import { always, type Scene, type WorstCalls } from './scene.ts'

const MOST = 1000
const groupsPath = '/default_stream_groups'

/** One default channel less than the maximum. */
const manyDefaults = (scene: Scene) =>
  scene.once('default channels', async () => {
    const owner = scene.as('owner')
    for (const stream_id of scene.organization.channelIds.slice(1, MOST)) {
      await owner.must('POST', '/default_streams', { stream_id })
    }
  })

/** Id of a group with the maximum number of channels, none of which is a default one. */
async function fullGroup(scene: Scene): Promise<number> {
  const owner = scene.as('owner')
  const ids = await groupIds(scene)
  for (const id of ids) await owner.must('DELETE', `${groupsPath}/${id}`)
  await owner.must('POST', `${groupsPath}/create`, { group_name: 'Full', description: '', stream_names: names })
  return (await groupIds(scene))[0] ?? 0
}

const names = Array.from({ length: MOST }, (_, index) => `Seeded ${index + 2000}`)

async function groupIds(scene: Scene): Promise<number[]> {
  const wanted = { event_types: [], fetch_event_types: ['default_stream_groups'] }
  const { realm_default_stream_groups: groups } = await scene.as('owner').must('POST', '/register', wanted)
  return groups.map(({ id }: { id: number }) => id)
}

const firstChannel = ({ organization }: Scene) => ({ stream_id: organization.channelIds[0] })

export const worstCalls: WorstCalls = {
  'add-default-stream': [
    {
      what: 'to 999 others',
      async prepare(scene) {
        await manyDefaults(scene)
        await scene.as('owner').must('DELETE', '/default_streams', firstChannel(scene))
      },
      call: always('POST', '/default_streams', firstChannel, 'owner'),
    },
  ],
  'remove-default-stream': [
    {
      what: 'from 1,000',
      async prepare(scene) {
        await manyDefaults(scene)
        await scene.as('owner').must('POST', '/default_streams', firstChannel(scene))
      },
      call: always('DELETE', '/default_streams', firstChannel, 'owner'),
    },
  ],
  'create-default-stream-group': [
    {
      what: 'with 1,000 channels',
      async prepare(scene) {
        await scene.as('owner').must('DELETE', `${groupsPath}/${await fullGroup(scene)}`)
      },
      call: always(
        'POST',
        `${groupsPath}/create`,
        { group_name: 'Full', description: '', stream_names: names },
        'owner',
      ),
    },
  ],
  'update-default-stream-group': [
    {
      what: 'with 1,000 channels',
      prepare: fullGroup,
      call: (scene, id) => scene.as('owner').patch(`${groupsPath}/${id}`, { new_description: scene.unique('Other') }),
    },
  ],
  'update-default-stream-group-streams': [
    {
      what: '1,000 channels',
      prepare: fullGroup,
      call: (scene, id) =>
        scene.as('owner').patch(`${groupsPath}/${id}/streams`, { op: 'remove', stream_names: names }),
    },
  ],
  'remove-default-stream-group': [
    {
      what: 'with 1,000 channels',
      prepare: fullGroup,
      call: (scene, id) => scene.as('owner').delete(`${groupsPath}/${id}`),
    },
  ],
}
