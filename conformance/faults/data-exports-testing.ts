import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse, succeed } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'
import { misanswered, misread } from './misreadings-testing.ts'

const path = '/export/realm'
const archives = 'data-exports/archives'
const only = 'get-data-exports'
const inArchives = { only: archives, needsUsers: true } as const

const everyEntry = (change: (entry: Json) => void): Fault =>
  ofSuccess('GET', path, (body) => {
    for (const one of body.exports) change(one)
  })

/** Texts of the archive, which are told decompressed. */
const inArchive =
  (change: (text: string) => string): Fault =>
  (answer, request) => {
    if (request.path.startsWith('/data_exports/') && typeof answer.body === 'string') answer.body = change(answer.body)
  }

/** Takes exports of one kind for exports of another. */
const asIf = (name: string, violates: readonly string[], from: string | null, to: string): SeededFault => ({
  ...inArchives,
  ...{ name, violates, fault: () => {} },
  settings: { PARLEY_OWNER_FULL_CONTENT_ACCESS: 'on' },
  before({ method, url, form }) {
    if (method !== 'POST' || !url.pathname.endsWith(path) || form.get('export_type') !== from) return
    form.set('export_type', to)
  },
})

export const faults: readonly SeededFault[] = [
  {
    name: 'exports for members',
    only: 'data-exports/rights',
    violates: ['EXPORT-1'],
    needsUsers: true,
    fault(answer, { method, path: asked }) {
      if (method === 'POST' && asked === path) succeed(answer, { id: 1 })
    },
  },
  {
    name: 'any kind of export',
    ...inArchives,
    violates: ['EXPORT-7'],
    before({ method, url, form }) {
      if (method === 'POST' && url.pathname.endsWith(path) && form.has('export_type')) form.set('export_type', 'public')
    },
    fault: () => {},
  },
  asIf('public exports with what people agreed to', ['EXPORT-2', 'EXPORT-3'], null, 'full_with_consent'),
  asIf('exports of what nobody agreed to', ['EXPORT-4'], 'full_with_consent', 'full_without_consent'),
  asIf('exports without what people agreed to', ['EXPORT-4'], 'full_with_consent', 'public'),
  asIf('whole exports with consent only', ['EXPORT-5'], 'full_without_consent', 'full_with_consent'),
  {
    name: 'whole exports that the server does not allow',
    ...inArchives,
    violates: ['EXPORT-6'],
    before({ method, url, form }) {
      const isWhole = form.get('export_type') === 'full_without_consent'
      if (method === 'POST' && url.pathname.endsWith(path) && isWhole) form.set('export_type', 'public')
    },
    fault: () => {},
  },
  {
    name: 'exports without what is public',
    ...inArchives,
    violates: ['EXPORT-3', 'EXPORT-4'],
    fault: inArchive((text) => text.replaceAll('open', 'gone')),
  },
  {
    name: 'exports whose ids are texts',
    ...inArchives,
    violates: ['EXPORT-8', 'REC-6'],
    fault: ofSuccess('POST', path, (body) => {
      body.id = String(body.id)
    }),
  },
  {
    name: 'exports that administrators do not hear of',
    ...inArchives,
    violates: ['EXPORT-12'],
    fault: ofEventList((events) => events.filter(({ type }) => type !== 'realm_export')),
  },
  {
    name: 'exports that nobody asked for',
    ...inArchives,
    violates: ['REC-9'],
    fault: everyEntry((one) => {
      one.acting_user_id += 1
    }),
  },
  {
    name: 'exports without their failure',
    ...inArchives,
    violates: ['REC-9'],
    fault: everyEntry((one) => {
      delete one.failed_timestamp
    }),
  },
  {
    name: 'exports without end',
    only: 'data-exports/rights',
    violates: ['EXPORT-11'],
    needsUsers: true,
    settings: { PARLEY_RATE_LIMITS: 'on' },
    fault: ofSuccess('GET', path, (body) => {
      body.exports = Array.from({ length: 5 }, (_, id) => ({ id, export_time: Date.now() / 1000 }))
    }),
  },
  {
    name: 'exports that are too large for other reasons',
    only: 'data-exports/size',
    violates: ['EXPORT-9', 'EXPORT-10'],
    settings: { PARLEY_MAX_EXPORT_MESSAGES: '1' },
    fault(answer, { method, path: asked }) {
      if (method === 'POST' && asked === path && answer.status >= 400) refuse(answer, 'TOO_LARGE')
    },
  },
  {
    name: 'exports of any kind and size',
    only: 'data-exports/size',
    violates: ['EXPORT-7'],
    fault(answer, { method, path: asked }) {
      if (method === 'POST' && asked === path) succeed(answer, { id: 1 })
    },
  },
  misanswered(
    only,
    'exports that nobody lists',
    ofSuccess('GET', path, (body) => {
      body.exports = []
    }),
  ),
  misanswered(
    only,
    'exports that stay',
    everyEntry((one) => {
      one.deleted_timestamp = null
    }),
  ),
  misanswered(only, 'archives that stay', (answer, request) => {
    if (request.path.startsWith('/data_exports/') && answer.status === 404) succeed(answer)
  }),
  misanswered(only, 'exports deleted twice', (answer, request) => {
    if (request.method === 'DELETE' && answer.status >= 400) succeed(answer)
  }),
  misanswered(
    only,
    'consents that nobody hears of',
    ofEventList((events) => events.filter(({ type }) => type !== 'realm_export_consent')),
  ),
  misread(only, 'consents that nobody gives', ['PATCH', '/settings'], (parameters) => {
    if (parameters.has('allow_private_data_export')) parameters.set('allow_private_data_export', 'false')
  }),
]
