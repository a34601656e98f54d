import type { Fault, SeededFault } from '../testing.ts'
import { ofMessage, ofSuccess, sentLongAgo, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { changedJson, misanswered, misread, without } from './misreadings-testing.ts'

const only = 'update-realm'
const patch = ['PATCH', '/realm'] as const
const needsUsers = { needsUsers: true }

/** Of what one request has changed, all but the first is never told. */
function firstOnly(): Fault {
  let untold: readonly string[] = []
  const hear = ofEventList((events) =>
    events.filter(({ type, data }) => type !== 'realm' || !untold.some((name) => name in data)),
  )
  return (answer, request) => {
    if (request.method === 'PATCH' && request.path === '/realm') untold = [...request.parameters.keys()].slice(1)
    hear(answer, request)
  }
}

const organizationFaults: readonly SeededFault[] = [
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
    'simple settings told in another form',
    ofEvent('realm', (event) => {
      if (event.op === 'update') event.property = `realm_${event.property}`
    }),
    true,
  ),
  misanswered(
    only,
    'settings that are not told',
    ofEventList((events) => events.filter(({ type }) => type !== 'realm')),
    true,
  ),
  misanswered(only, 'of several settings only the first is told', firstOnly(), true),
  misanswered(
    only,
    'registrations that do not know of changes',
    ofSuccess('POST', '/register', (body) => {
      if ('realm_can_create_groups' in body) body.realm_can_create_groups = 6
    }),
    true,
  ),
]

const edits = 'organization/edits'

/** Edits are taken that are refused. */
const takesEdits: SeededFault['fault'] = (answer, { method, path }) => {
  if (method === 'PATCH' && path.startsWith('/messages/') && answer.status === 400) succeed(answer)
}

const editFaults: readonly SeededFault[] = [
  {
    ...{ name: 'edits that are never too late', only: 'organization/edit-limit', violates: ['MSG-EDIT-34'] },
    ...needsUsers,
    fault(answer, request) {
      sentLongAgo(answer, request)
      takesEdits(answer, request)
    },
  },
  {
    ...{ name: 'edits that are taken where they are off', only: edits, violates: ['MSG-EDIT-30'], needsUsers: true },
    fault: takesEdits,
  },
  {
    ...{ name: 'former versions that nobody is to see', only: edits, violates: ['MSG-FIELD-36'], needsUsers: true },
    fault: ofMessage((message) => {
      message.edit_history ??= []
    }),
  },
  {
    ...{ name: 'settings told one by one', only: edits, violates: ['EV-OTHER-5'], needsUsers: true },
    fault: ofEvent('realm', (event) => {
      event.op = 'update'
    }),
  },
  {
    ...{ name: 'settings under another property', only: edits, violates: ['EV-OTHER-10'], needsUsers: true },
    fault: ofEvent('realm', (event) => {
      event.property = 'all'
    }),
  },
]

export const faults: readonly SeededFault[] = [...organizationFaults, ...editFaults]
