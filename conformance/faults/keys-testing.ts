import type { SeededFault } from '../testing.ts'
import { ofSuccess, succeed } from './changes-testing.ts'
import { misanswered } from './misreadings-testing.ts'

const needsUsers = true

export const faults: readonly SeededFault[] = [
  misanswered('dev-fetch-api-key', 'everybody anybody', (answer, { path }) => {
    if (path === '/dev_fetch_api_key') succeed(answer, { api_key: 'a'.repeat(32) })
  }),
  {
    ...misanswered(
      'dev-fetch-api-key',
      'keys of somebody else',
      ofSuccess('POST', '/dev_fetch_api_key', (body) => {
        body.api_key = 'a'.repeat(32)
      }),
    ),
    settings: { PARLEY_DEVELOPMENT_LOGIN: 'on' },
  },
  misanswered(
    'regenerate-own-api-key',
    'a new key that opens nothing',
    ofSuccess('POST', '/users/me/api_key/regenerate', (body) => {
      body.api_key = [...body.api_key].toReversed().join('')
    }),
    needsUsers,
  ),
  misanswered(
    'regenerate-own-api-key',
    'an old key that still works',
    (answer, { path }) => {
      if (path === '/users/me' && answer.status === 401) succeed(answer)
    },
    needsUsers,
  ),
  misanswered(
    'update-settings/password',
    'a key that outlives its password',
    (answer, { path }) => {
      if (path === '/users/me' && answer.status === 401) succeed(answer)
    },
    needsUsers,
  ),
]
