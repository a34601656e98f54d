import { always, type Scene, type WorstCalls } from './scene.ts'

const [LONG, CHOICE] = [2, 3]
const choices = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [String(index), { text: `${index}`, order: String(index + 1) }]),
)
const text = '*a* `b` '.repeat(62)

const values = (scene: Scene) => ({
  ...{ field_type: CHOICE, field_data: choices },
  ...{ name: scene.unique('f').padEnd(40, 'f'), hint: 'f'.repeat(80) },
})

/** Fields of the maximum size, with room for one more. The second half are text fields. */
const manyFields = (scene: Scene): Promise<number[]> =>
  scene.once('profile fields', async () => {
    const ids: number[] = []
    while (ids.length < 49) {
      const written = { field_type: LONG, name: scene.unique('text') }
      const given = ids.length < 24 ? values(scene) : written
      ids.push((await scene.as('owner').must('POST', '/realm/profile_fields', given)).id)
    }
    return ids
  })

const spoken = async (scene: Scene) =>
  (await manyFields(scene)).slice(24).map((id) => ({ id, value: `${scene.unique('s')} ${text}`.slice(0, 500) }))

async function newest(scene: Scene): Promise<number> {
  await manyFields(scene)
  const { custom_fields: all } = await scene.as('owner').must('GET', '/realm/profile_fields')
  if (all.length > 49) return all.at(-1).id
  return (await scene.as('owner').must('POST', '/realm/profile_fields', values(scene))).id
}

export const worstCalls: WorstCalls = {
  'get-custom-profile-fields': [{ prepare: manyFields, call: always('GET', '/realm/profile_fields') }],
  'create-custom-profile-field': [
    {
      prepare: async (scene) => scene.as('owner').must('DELETE', `/realm/profile_fields/${await newest(scene)}`),
      call: (scene) => scene.as('owner').post('/realm/profile_fields', values(scene)),
    },
  ],
  'update-custom-profile-field': [
    {
      what: 'a choice is gone',
      prepare: async (scene) => {
        const [id] = (await manyFields(scene)) as [number]
        await scene.as('owner').must('PATCH', `/realm/profile_fields/${id}`, { field_data: choices })
        return id
      },
      call: (scene, id) => {
        const { 99: _, ...field_data } = choices
        return scene.as('owner').patch(`/realm/profile_fields/${id}`, { field_data })
      },
    },
  ],
  'remove-custom-profile-field': [
    { prepare: newest, call: (scene, id) => scene.as('owner').delete(`/realm/profile_fields/${id}`) },
  ],
  'reorder-custom-profile-fields': [
    {
      prepare: async (scene) => {
        await manyFields(scene)
        const { custom_fields: all } = await scene.as('owner').must('GET', '/realm/profile_fields')
        return all.map(({ id }: { id: number }) => id).reverse()
      },
      call: (scene, order) => scene.as('owner').patch('/realm/profile_fields', { order }),
    },
  ],
  'update-own-profile-data': [
    {
      what: 'the longest texts in all fields',
      prepare: spoken,
      call: (scene, data) => scene.as('member').patch('/users/me/profile_data', { data }),
    },
  ],
  'remove-own-profile-data': [
    {
      prepare: async (scene) => {
        const data = await spoken(scene)
        await scene.as('member').must('PATCH', '/users/me/profile_data', { data })
        return data.map(({ id }) => id)
      },
      call: (scene, data) => scene.as('member').delete('/users/me/profile_data', { data }),
    },
  ],
}
