import type { SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse, succeed } from './changes-testing.ts'
import { effectFault } from './effects-testing.ts'

export const faults: readonly SeededFault[] = [
  effectFault(
    'get-own-user',
    'another role in one’s own account than in others’ lists',
    ofSuccess('GET', '/users/me', (body) => {
      body.is_admin = !body.is_admin
    }),
  ),
  effectFault('get-user', 'somebody where nobody has an address', (answer, { method, path }) => {
    if (method === 'GET' && path.includes('none-')) succeed(answer, { user: { user_id: 1, full_name: 'Somebody' } })
  }),
  {
    name: 'users by id only',
    only: 'effects/get-user',
    violates: ['REF-5'],
    fault(answer, { method, path }) {
      if (method === 'GET' && /^\/users\/.*(@|%40)/.test(path)) refuse(answer)
    },
  },
  effectFault(
    'create-user',
    'the deactivated still active in the list',
    ofSuccess('GET', '/users', (body) => {
      for (const user of body.members) user.is_active = true
    }),
    true,
  ),
  effectFault('delete-queue', 'queues of others deleted with success', (answer, { method, path }) => {
    if (method === 'DELETE' && path === '/events' && answer.status === 400) succeed(answer)
  }),
  effectFault(
    'register-queue',
    'another level in the state than in the settings',
    ofSuccess('POST', '/register', (body) => {
      body.zulip_feature_level += 1
    }),
  ),
  {
    name: 'a state without the longest topic',
    only: 'effects/register-queue',
    violates: ['REF-1'],
    fault: ofSuccess('POST', '/register', (body) => {
      delete body.max_topic_length
    }),
  },
  {
    name: 'several settings of channels refused',
    only: 'subscription-settings/bulk',
    violates: ['REF-3'],
    fault(answer, { method, path, parameters }) {
      const several = JSON.parse(parameters.get('subscription_data') ?? '[]').length > 1
      if (method === 'POST' && path.endsWith('/subscriptions/properties') && several) refuse(answer)
    },
  },
  effectFault(
    'get-openapi',
    'a document without one of its operations',
    ofSuccess('GET', '/openapi.json', (body) => {
      delete body.paths['/api/v1/users/me']
    }),
  ),
  effectFault(
    'get-openapi-3-0',
    'an older form without one of the operations',
    ofSuccess('GET', '/openapi-3.0.json', (body) => {
      delete body.paths['/api/v1/users/me']
    }),
  ),
  effectFault('get-start-page', 'a page that leads nowhere', (answer, { path }) => {
    if (path === '/') answer.body = String(answer.body).replaceAll('openapi.json', 'swagger.json')
  }),
  effectFault(
    'get-health',
    'a server that has just begun, at any time',
    ofSuccess('GET', '/health', (body) => {
      body.uptime_seconds = 1
    }),
  ),
  effectFault('get-metrics', 'answers that are not counted', (answer, { path }) => {
    if (path !== '/metrics') return
    answer.body = String(answer.body).replaceAll(/(operation="get-emoji-data".*\}) \d+/g, '$1 0')
  }),
  effectFault(
    'get-emoji-data',
    'names of emoji for the codes of others',
    ofSuccess('GET', '/emoji-data.json', (body) => {
      const entries: [string, Json][] = Object.entries(body.code_to_names)
      const names = entries.map(([, name]) => name)
      body.code_to_names = Object.fromEntries(entries.map(([code], at) => [code, names.at(at - 1)]))
    }),
  ),
  effectFault('get-static-file', 'pictures that are gone', (answer, { path }) => {
    if (path.endsWith('icon.png')) answer.status = 404
  }),
]
