import { ids } from '../kernel/check.ts'
import type { SeededFault } from '../testing.ts'
import { ofSuccess, succeed } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'

const needsUsers = true
const [refused, set] = ['new-account-settings/refused', 'new-account-settings/set']
const path = '/realm/user_settings_defaults'

export const faults: readonly SeededFault[] = [
  {
    name: 'any setting of new accounts, for anybody',
    only: refused,
    violates: [
      ...[
        'AUTH-8',
        'DEFAULTS-1',
        'DEFAULTS-5',
        'DEFAULTS-8',
        'DEFAULTS-9',
        'DEFAULTS-INT-15',
        'DEFAULTS-STR-6',
        'REC-11',
      ],
    ],
    needsUsers,
    fault(answer, request) {
      if (request.method === 'PATCH' && request.path === path) succeed(answer)
    },
  },
  {
    name: 'settings of new accounts: more in the answer, and nothing ignored',
    only: refused,
    violates: ['DEFAULTS-4', 'DEFAULTS-7'],
    needsUsers,
    fault: ofSuccess('PATCH', path, (body) => {
      delete body.ignored_parameters_unsupported
      body.changed = true
    }),
  },
  {
    name: 'settings of new accounts that stay',
    only: set,
    violates: [
      ...ids(
        'DEFAULTS-BOOL',
        [...Array(41).keys()].map((index) => index + 1),
      ),
      ...ids('DEFAULTS-INT', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]),
      ...ids('DEFAULTS-STR', [1, 2, 3, 4, 5]),
    ],
    needsUsers,
    fault: () => {},
    before({ method, url, form }) {
      if (method === 'PATCH' && url.pathname.endsWith(path)) for (const name of [...form.keys()]) form.delete(name)
    },
  },
  {
    name: 'settings of new accounts that nobody is told of',
    only: set,
    violates: ['DEFAULTS-10'],
    needsUsers,
    fault: ofEventList((events) => events.filter(({ type }) => type !== 'realm_user_settings_defaults')),
  },
  {
    name: 'settings of new accounts that are those of everybody',
    only: set,
    violates: ['DEFAULTS-2', 'DEFAULTS-3', 'DEFAULTS-6'],
    needsUsers,
    fault: everybodys(),
  },
]

/** Of a second registration on, everybody's settings are others; no drafts are left. */
function everybodys(): SeededFault['fault'] {
  let count = 0
  return (answer, { method, path: called }) => {
    const settings = answer.body?.user_settings
    if (settings) {
      count += 1
      if (count > 1) Object.assign(settings, { enter_sends: `${count}`, enable_drafts_synchronization: true })
    }
    if (method === 'GET' && called === '/drafts' && answer.body) Object.assign(answer.body, { count: 0, drafts: [] })
  }
}
