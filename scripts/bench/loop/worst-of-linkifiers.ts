import { always, type Scene, type WorstCalls } from './scene.ts'

/** A pattern of the maximum size, which matches everywhere. */
const pattern = (name: string): string => `${name}(?:x?){100}x{0,100}(?P<id>.*)`

/** Ids of the maximum number of linkifiers, created once. */
const manyLinkifiers = (scene: Scene) =>
  scene.once('linkifiers', async () => {
    const ids: number[] = []
    while (ids.length < 48) {
      const values = { pattern: pattern(scene.unique('l').replace(' ', '')), url_template: 'https://example.com/{id}' }
      ids.push((await scene.as('owner').must('POST', '/realm/filters', values)).id)
    }
    return ids
  })

export const worstCalls: WorstCalls = {
  'get-linkifiers': [{ prepare: manyLinkifiers, call: always('GET', '/realm/linkifiers') }],
  'add-linkifier': [
    {
      what: 'the largest pattern',
      prepare: async (scene) => {
        await manyLinkifiers(scene)
        const { linkifiers } = await scene.as('owner').must('GET', '/realm/linkifiers')
        for (const { id } of linkifiers.slice(48)) await scene.as('owner').must('DELETE', `/realm/filters/${id}`)
      },
      call: (scene) =>
        scene.as('owner').post('/realm/filters', {
          pattern: pattern(scene.unique('new').replace(' ', '')),
          url_template: 'https://example.com/{id}',
        }),
    },
  ],
  'update-linkifier': [
    {
      prepare: manyLinkifiers,
      call: (scene, ids) =>
        scene.as('owner').patch(`/realm/filters/${(ids as number[])[0]}`, {
          pattern: pattern(scene.unique('changed').replace(' ', '')),
        }),
    },
  ],
  'remove-linkifier': [
    {
      prepare: async (scene) => {
        await manyLinkifiers(scene)
        const { linkifiers } = await scene.as('owner').must('GET', '/realm/linkifiers')
        if (linkifiers.length > 48) return linkifiers.at(-1).id
        const values = {
          pattern: pattern(scene.unique('gone').replace(' ', '')),
          url_template: 'https://example.com/{id}',
        }
        return (await scene.as('owner').must('POST', '/realm/filters', values)).id
      },
      call: (scene, id) => scene.as('owner').delete(`/realm/filters/${id}`),
    },
  ],
  'reorder-linkifiers': [
    {
      prepare: async (scene) => {
        await manyLinkifiers(scene)
        const { linkifiers } = await scene.as('owner').must('GET', '/realm/linkifiers')
        return linkifiers.map(({ id }: { id: number }) => id).reverse()
      },
      call: (scene, ordered_linkifier_ids) => scene.as('owner').patch('/realm/linkifiers', { ordered_linkifier_ids }),
    },
  ],
}
