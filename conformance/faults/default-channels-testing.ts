import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { changedJson, misanswered, misread, without } from './misreadings-testing.ts'

const needsUsers = { needsUsers: true }
const single = 'add-default-stream'
const grouped = 'create-default-stream-group'
const path = /^\/default_stream_groups\/\d+$/

/** What was made a default channel is in nobody's list from then on. */
function followedByNobody(): Fault {
  const ids = new Set<number>()
  return (answer, { method, path: here, parameters }) => {
    if (answer.status !== 200) return
    if (method === 'POST' && here === '/default_streams') ids.add(Number(parameters.get('stream_id')))
    if (method !== 'GET' || here !== '/users/me/subscriptions') return
    answer.body.subscriptions = answer.body.subscriptions.filter(({ stream_id: id }: Json) => !ids.has(id))
  }
}

/** Operations on what new users begin with that do something else, or do not tell of it. */
export const faults: readonly SeededFault[] = [
  misread(
    single,
    'default channels that stay default',
    ['DELETE', '/default_streams'],
    (form) => form.set('stream_id', '1'),
    needsUsers,
  ),
  misanswered(
    single,
    'default channels that are not told',
    ofEventList((events) => events.filter(({ type }) => type !== 'default_streams')),
    true,
  ),
  misanswered(
    single,
    'default channels that are not listed',
    ofSuccess('POST', '/register', (body) => {
      body.realm_default_streams = []
    }),
    true,
  ),
  misanswered(single, 'default channels that new members do not follow', followedByNobody(), true),
  misread(
    grouped,
    'default groups without channels',
    ['POST', '/default_stream_groups/create'],
    changedJson('stream_names', () => []),
    needsUsers,
  ),
  misread(
    grouped,
    'default groups without a description',
    ['POST', '/default_stream_groups/create'],
    (form) => form.set('description', ''),
    needsUsers,
  ),
  misread(grouped, 'default groups that keep their name', ['PATCH', path], without('new_group_name'), needsUsers),
  misread(
    grouped,
    'default groups that keep their description',
    ['PATCH', path],
    without('new_description'),
    needsUsers,
  ),
  misanswered(
    grouped,
    'default groups told without channels',
    ofEvent('default_stream_groups', ({ default_stream_groups: groups }) => {
      for (const group of groups) group.streams = []
    }),
    true,
  ),
  misanswered(
    grouped,
    'default groups that are not listed',
    ofSuccess('POST', '/register', (body) => {
      if ('realm_default_stream_groups' in body) body.realm_default_stream_groups = []
    }),
    true,
  ),
]
