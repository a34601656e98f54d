import type { SeededFault } from '../testing.ts'
import { refuse, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { changedJson, misanswered, misread, without } from './misreadings-testing.ts'

const change = ['PATCH', /^\/streams\/\d+$/] as const
const emptyTopicOnly = {
  only: 'channel-settings/empty-topic-only',
  violates: ['SUB-FIELD-37'],
  needsUsers: true,
}
const unarchived = { only: 'channel-settings/unarchived', violates: ['STATE-OTHER-1'], needsUsers: true }

/** Changes of channels that are answered in another way. */
function answered(answer: typeof refuse): SeededFault['fault'] {
  return (passing, { method, path }) => {
    if (method === change[0] && change[1].test(path)) answer(passing)
  }
}

export const faults: readonly SeededFault[] = [
  { ...emptyTopicOnly, name: 'no channel can be limited to the empty topic', fault: answered((one) => refuse(one)) },
  {
    ...emptyTopicOnly,
    name: 'every channel can be limited to the empty topic',
    fault: answered((one) => succeed(one)),
  },
  {
    ...misread('', 'limits to the empty topic passed over', change, without('topics_policy')),
    ...emptyTopicOnly,
  },
  { ...unarchived, name: 'archived channels that stay so', fault: answered((one) => refuse(one)) },
  { ...misread('', 'is_archived of channels passed over', change, without('is_archived')), ...unarchived },
  {
    ...unarchived,
    name: 'messages of channels that were archived hidden',
    fault: (answer, { method, path }) => {
      if (method === 'GET' && /^\/messages\/\d+$/.test(path)) refuse(answer)
    },
  },
  ...['new_name', 'description', 'topics_policy', 'message_retention_days'].map((name) =>
    misread('update-stream', `${name} of channels passed over`, change, without(name), { needsUsers: true }),
  ),
  misanswered(
    'update-stream',
    'descriptions told as they are written only',
    ofEvent('stream', (event) => {
      delete event.rendered_description
    }),
    true,
  ),
  misanswered(
    'update-stream',
    'channels found by their former names',
    ({ body }, { path }) => {
      if (path === '/get_stream_id' && body.result === 'error') Object.assign(body, { result: 'success', stream_id: 1 })
    },
    true,
  ),
  misread('update-stream/privacy', 'is_private passed over', change, without('is_private'), { needsUsers: true }),
  misread(
    'update-stream/privacy',
    'private channels without history',
    change,
    without('history_public_to_subscribers'),
    { needsUsers: true },
  ),
  misanswered(
    'update-stream/privacy',
    'channels that vanish without a word',
    ofEventList((events) => events.filter(({ type, op }) => type !== 'stream' || op === 'update')),
    true,
  ),
  misread(
    'update-stream/permissions',
    'can_send_message_group of channels passed over',
    change,
    without('can_send_message_group'),
    { needsUsers: true },
  ),
  misread(
    'update-stream/permissions',
    'the value that the caller knows passed over',
    change,
    changedJson('can_send_message_group', ({ new: wanted }: { new: unknown }) => ({ new: wanted })),
    { needsUsers: true },
  ),
]
