import { always, type Scene, type WorstCalls } from './scene.ts'

const [LAYERS, WIDTH] = [100, 10]
/** The maximum length of a list in a setting. */
const LISTED = 1000

async function make(scene: Scene, values: object): Promise<number> {
  const parameters = { name: scene.unique('group'), description: '', members: [], ...values }
  return (await scene.as('owner').must('POST', '/user_groups/create', parameters)).group_id
}

const ofEverybody = (scene: Scene) => make(scene, { members: scene.organization.userIds })

interface Graph {
  readonly top: number
  /** A group that has everybody as a member, and is in all other groups but those of its own layer. */
  readonly bottom: number
}

/** A thousand groups; each contains two of the layer below. */
function graphIn(scene: Scene): Promise<Graph> {
  return scene.once('graph of groups', async () => {
    const bottom = await ofEverybody(scene)
    let below = [bottom]
    for (let layer = 1; layer < LAYERS; layer += 1) {
      const made: number[] = []
      for (let place = 0; place < WIDTH; place += 1) {
        const subgroups = [below[place % below.length], below[(place + 1) % below.length]]
        made.push(
          await make(scene, { subgroups: [...new Set(subgroups)], members: scene.organization.userIds.slice(0, 20) }),
        )
      }
      below = made
    }
    return { top: below[0] as number, bottom }
  })
}

const pathOf = (id: unknown, rest = ''): string => `/user_groups/${id as number}${rest}`
const topOf = async (scene: Scene) => (await graphIn(scene)).top

export const worstCalls: WorstCalls = {
  'get-user-groups': [
    { what: 'a thousand, after a change', prepare: changeOne, call: always('GET', '/user_groups', {}, 'owner') },
  ],
  'create-user-group': [
    {
      what: 'of 10,000',
      call: (scene) => {
        const parameters = { name: scene.unique('group'), description: '', members: scene.organization.userIds }
        return scene.as('owner').post('/user_groups/create', parameters)
      },
    },
  ],
  'update-user-group': [
    {
      what: 'settings that list 1,000 people each, of a group of 10,000',
      prepare: ofEverybody,
      call: (scene, id) => {
        const listed = { direct_members: scene.organization.userIds.slice(0, LISTED), direct_subgroups: [] }
        const updates = { can_join_group: { new: listed }, can_mention_group: { new: listed } }
        return scene.as('owner').patch(pathOf(id), updates)
      },
    },
    {
      what: '10,000 are in use again',
      async prepare(scene) {
        const id = await ofEverybody(scene)
        await scene.as('owner').must('POST', pathOf(id, '/deactivate'))
        return id
      },
      call: (scene, id) => scene.as('owner').patch(pathOf(id), { deactivated: false }),
    },
  ],
  'deactivate-user-group': [
    { what: 'of 10,000', prepare: ofEverybody, call: (scene, id) => scene.as('owner').post(pathOf(id, '/deactivate')) },
  ],
  'update-user-group-members': [
    {
      what: '10,000 leave',
      prepare: ofEverybody,
      call: (scene, id) => scene.as('owner').post(pathOf(id, '/members'), { delete: scene.organization.userIds }),
    },
    {
      what: '10,000 leave and come below a thousand groups',
      prepare: graphIn,
      call: async (scene, graph) => {
        const path = pathOf((graph as Graph).bottom, '/members')
        await scene.as('owner').must('POST', path, { delete: scene.organization.userIds })
        return scene.as('owner').post(path, { add: scene.organization.userIds })
      },
    },
  ],
  'update-user-group-subgroups': [
    {
      what: 'a graph of a thousand groups, 100 deep',
      prepare: async (scene) => ({ id: await make(scene, {}), top: await topOf(scene) }),
      call: (scene, prepared) => {
        const { id, top } = prepared as { id: number; top: number }
        return scene.as('owner').post(pathOf(id, '/subgroups'), { add: [top] })
      },
    },
  ],
  'get-user-group-members': [
    { what: 'of a graph', prepare: topOf, call: (scene, id) => scene.as('owner').get(pathOf(id, '/members')) },
  ],
  'get-is-user-group-member': [
    {
      what: 'of a graph',
      prepare: topOf,
      call: (scene, id) => scene.as('owner').get(pathOf(id, `/members/${scene.organization.userIds.at(-1)}`)),
    },
  ],
  'get-user-group-subgroups': [
    { what: 'of a graph', prepare: topOf, call: (scene, id) => scene.as('owner').get(pathOf(id, '/subgroups')) },
  ],
}

/** Invalidates the cached groups, so that they are read again. */
async function changeOne(scene: Scene): Promise<void> {
  const { top } = await graphIn(scene)
  await scene.as('owner').must('PATCH', pathOf(top), { description: scene.unique('changed') })
}
