import fc from 'fast-check'
import { type Ground, kind, ourKind } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'update-own-status': () => ({ status_text: 'testing' }),
  'get-user-status': ({ other }) => ({ user_id: other.userId }),
  'update-user-status': ({ other }) => ({ user_id: other.userId, status_text: 'testing' }),
}

const status = ({ isOurs }: Ground) => ({
  status_text: fc.constantFrom('', 'away', 'on vacation', ...(isOurs ? [undefined, ' at 家 '] : [])),
  ...(isOurs && { emoji_name: fc.constantFrom(undefined, '', 'palm_tree', 'zulip') }),
})

export const actions = [
  kind(
    'set status',
    (ground) => ({ ...status(ground), ...(ground.isOurs && { away: fc.constantFrom(undefined, true, false) }) }),
    (world, { who, kind: _, ...values }) => world.person(who).call('update-own-status', values),
    { weight: 2 },
  ),
  ourKind(
    "set somebody's status",
    (ground) => ({ ...status(ground), by: ground.manager, other: ground.who }),
    (world, { by, other, status_text, emoji_name }) =>
      world.manager(by)?.call('update-user-status', { user_id: world.person(other).userId, status_text, emoji_name }),
  ),
]
