import type { SeededFault } from '../testing.ts'
import { succeed } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'
import { changedJson, misanswered, misread, without } from './misreadings-testing.ts'

const only = 'update-settings/others'
const settings = ['PATCH', '/settings'] as const
const ofTarget = (change: (target: Record<string, unknown>) => object) => changedJson('target_users', change as never)
const needsUsers = { needsUsers: true }

export const faults: readonly SeededFault[] = [
  misread(only, 'settings of others taken for one’s own', settings, without('target_users'), needsUsers),
  misread(
    only,
    'groups of settings passed over',
    settings,
    ofTarget(({ group_ids: _, ...target }) => target),
    needsUsers,
  ),
  misread(
    only,
    'people of settings passed over',
    settings,
    ofTarget(({ user_ids: _, ...target }) => target),
    needsUsers,
  ),
  misread(
    only,
    'what people chose themselves passed over',
    settings,
    ofTarget(({ skip_if_already_edited: _, ...target }) => target),
    needsUsers,
  ),
  misread(
    only,
    'everybody taken for one who chose',
    settings,
    (parameters) => {
      const target = parameters.get('target_users')
      if (target?.includes('skip_if_already_edited')) parameters.set('target_users', '{}')
    },
    needsUsers,
  ),
  misanswered(
    only,
    'settings by others not told',
    ofEventList((events) => events.filter(({ property }) => property !== 'color_scheme')),
    true,
  ),
  misanswered(
    only,
    'settings of others for everybody',
    (answer, { method, path }) => {
      if (method === 'PATCH' && path === '/settings' && answer.status >= 400) succeed(answer)
    },
    true,
  ),
]
