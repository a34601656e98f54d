import type { SeededFault } from '../testing.ts'
import { ofSuccess, succeed } from './changes-testing.ts'
import { misanswered } from './misreadings-testing.ts'

const needsUsers = true

export const faults: readonly SeededFault[] = [
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
