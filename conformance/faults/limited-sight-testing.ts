import type { SeededFault } from '../testing.ts'
import type { Json } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'

const only = 'limited-sight/changes'
const violates = ['EV-REALMUSER-2']
const needsUsers = true

export const faults: readonly SeededFault[] = [
  {
    ...{ name: 'guests who see everybody all the same', only, violates, needsUsers, fault: () => {} },
    before({ method, url, form }) {
      if (method === 'PATCH' && url.pathname.endsWith('/realm')) form.delete('can_access_all_users_group')
    },
  },
  {
    ...{ name: 'changes that guests are not told of', only, violates, needsUsers },
    fault: ofEventList((events) => events.filter(({ type }: Json) => type !== 'realm_user')),
  },
]
