import { always, type Scene, type WorstCalls } from './scene.ts'

const path = '/navigation_views'
const name = 'n'.repeat(100)
const values = (scene: Scene) => ({
  fragment: scene.unique('v').replace(' ', '').padEnd(191, 'v'),
  is_pinned: true,
  name,
})

/** One less than the maximum for an account. */
const manyViews = (scene: Scene): Promise<string[]> =>
  scene.once('navigation views', async () => {
    const fragments: string[] = []
    while (fragments.length < 99) {
      const view = values(scene)
      await scene.as('member').must('POST', path, view)
      fragments.push(view.fragment)
    }
    return fragments
  })

async function newest(scene: Scene): Promise<string> {
  const known = await manyViews(scene)
  const { navigation_views: views } = await scene.as('member').must('GET', path)
  const other = views.find(({ fragment }: { fragment: string }) => !known.includes(fragment))
  if (other) return other.fragment
  const view = values(scene)
  await scene.as('member').must('POST', path, view)
  return view.fragment
}

export const worstCalls: WorstCalls = {
  'get-navigation-views': [{ prepare: manyViews, call: always('GET', path) }],
  'add-navigation-view': [
    {
      prepare: async (scene) => scene.as('member').must('DELETE', `${path}/${await newest(scene)}`),
      call: (scene) => scene.as('member').post(path, values(scene)),
    },
  ],
  'update-navigation-view': [
    {
      prepare: manyViews,
      call: (scene, fragments) =>
        scene.as('member').patch(`${path}/${(fragments as string[])[0]}`, { name: scene.unique('n').padEnd(100, 'n') }),
    },
  ],
  'remove-navigation-view': [
    { prepare: newest, call: (scene, fragment) => scene.as('member').delete(`${path}/${fragment}`) },
  ],
}
