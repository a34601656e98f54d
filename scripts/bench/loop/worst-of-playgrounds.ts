import type { Scene, WorstCalls } from './scene.ts'

const values = (scene: Scene) => ({
  name: scene.unique('p').padEnd(100, 'p'),
  pygments_language: 'p'.repeat(40),
  url_template: `https://example.com/${'p'.repeat(900)}?{&code}`,
})

/** Makes room for one more. */
const manyPlaygrounds = (scene: Scene) =>
  scene.once('playgrounds', async () => {
    for (let count = 0; count < 99; count += 1)
      await scene.as('owner').must('POST', '/realm/playgrounds', values(scene))
  })

async function newest(scene: Scene): Promise<number> {
  await manyPlaygrounds(scene)
  const { realm_playgrounds: all, queue_id } = await scene
    .as('owner')
    .must('POST', '/register', { event_types: ['realm_playgrounds'] })
  await scene.as('owner').must('DELETE', '/events', { queue_id })
  if (all.length > 99) return all.at(-1).id
  return (await scene.as('owner').must('POST', '/realm/playgrounds', values(scene))).id
}

export const worstCalls: WorstCalls = {
  'add-code-playground': [
    {
      prepare: async (scene) => scene.as('owner').must('DELETE', `/realm/playgrounds/${await newest(scene)}`),
      call: (scene) => scene.as('owner').post('/realm/playgrounds', values(scene)),
    },
  ],
  'remove-code-playground': [
    { prepare: newest, call: (scene, id) => scene.as('owner').delete(`/realm/playgrounds/${id}`) },
  ],
}
