import type { Scene, WorstCalls } from './scene.ts'

const path = '/export/realm'

interface Entry {
  readonly id: number
  readonly pending: boolean
  readonly export_url: string | null
}

/** An export whose archive is ready. */
async function made(scene: Scene): Promise<Entry & { readonly export_url: string }> {
  const admin = scene.as('admin')
  const { queue_id } = await admin.must('POST', '/register', { event_types: ['realm_export'], fetch_event_types: [] })
  const { id } = await admin.must('POST', path)
  for (let last_event_id = -1; ; ) {
    const { events } = await admin.must('GET', '/events', { queue_id, last_event_id })
    for (const { exports = [] } of events as { exports?: Entry[] }[]) {
      const one = exports.find((entry) => entry.id === id)
      if (one?.export_url) return { ...one, export_url: one.export_url }
    }
    last_event_id = events.at(-1).id
  }
}

export const worstCalls: WorstCalls = {
  'get-data-exports': [{ call: (scene) => scene.as('admin').get(path) }],
  'start-data-export': [{ call: (scene) => scene.as('admin').post(path, { export_type: 'public' }) }],
  'remove-data-export': [
    {
      prepare: made,
      call: (scene, one) => scene.as('admin').delete(`${path}/${(one as Entry).id}`),
    },
  ],
  'get-data-export-archive': [
    {
      prepare: made,
      call: (scene, one) => scene.as('admin').fetch(new URL(String((one as Entry).export_url)).pathname),
    },
  ],
  'get-export-consents': [{ call: (scene) => scene.as('admin').get(`${path}/consents`) }],
}
