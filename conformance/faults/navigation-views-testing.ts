import type { Fault, SeededFault } from '../testing.ts'
import { ofSuccess, succeed } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'
import { misanswered, misread, without } from './misreadings-testing.ts'

const only = 'get-navigation-views'
const adding = ['POST', '/navigation_views'] as const
const changing = ['PATCH', /^\/navigation_views\//] as const

const accepted =
  (method: string, path: RegExp): Fault =>
  (answer, request) => {
    if (request.method === method && path.test(request.path) && answer.status >= 400) succeed(answer)
  }

export const faults: readonly SeededFault[] = [
  misread(only, 'views without names', adding, without('name')),
  misread(only, 'views that nobody pins', adding, (parameters) => {
    parameters.set('is_pinned', 'false')
  }),
  misread(only, 'views that stay pinned', changing, (parameters) => {
    if (parameters.has('is_pinned')) parameters.set('is_pinned', 'true')
  }),
  misread(only, 'views with other names', changing, (parameters) => {
    if (parameters.has('name')) parameters.set('name', 'Conformance')
  }),
  misanswered(
    only,
    'views that are not told',
    ofEventList((events) => events.filter(({ type }) => type !== 'navigation_view')),
  ),
  misanswered(
    only,
    'views that nobody keeps',
    ofSuccess('GET', '/navigation_views', (body) => {
      body.navigation_views = []
    }),
  ),
  misanswered(only, 'any view, and twice', accepted('POST', /^\/navigation_views$/)),
  misanswered(only, 'views removed twice', accepted('DELETE', /^\/navigation_views\//)),
]
