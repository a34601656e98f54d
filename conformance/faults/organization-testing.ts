import type { SeededFault } from '../testing.ts'
import { ofSuccess } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { changedJson, misanswered, misread, without } from './misreadings-testing.ts'

const only = 'update-realm'
const patch = ['PATCH', '/realm'] as const
const needsUsers = { needsUsers: true }

export const organizationFaults: readonly SeededFault[] = [
  misread(only, 'the switch for edits passed over', patch, without('allow_message_editing'), needsUsers),
  misread(only, 'edits stay on', patch, without('allow_message_editing', 'false'), needsUsers),
  misread(only, 'who creates groups passed over', patch, without('can_create_groups'), needsUsers),
  misread(
    only,
    'expectations passed over',
    patch,
    changedJson('can_create_groups', (update: { new: unknown }) => ({ new: update.new })),
    needsUsers,
  ),
  misanswered(
    only,
    'changes that are not answered',
    ofSuccess('PATCH', '/realm', (body) => {
      delete body.allow_message_editing
    }),
    true,
  ),
  misanswered(
    only,
    'settings told as they were',
    ofEvent('realm', ({ data }) => {
      if ('allow_message_editing' in data) data.allow_message_editing = !data.allow_message_editing
    }),
    true,
  ),
  misanswered(
    only,
    'settings that are not told',
    ofEventList((events) => events.filter(({ type }) => type !== 'realm')),
    true,
  ),
  misanswered(
    only,
    'registrations that do not know of changes',
    ofSuccess('POST', '/register', (body) => {
      if ('realm_can_create_groups' in body) body.realm_can_create_groups = 6
    }),
    true,
  ),
]
