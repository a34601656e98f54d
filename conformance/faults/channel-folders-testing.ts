import type { SeededFault } from '../testing.ts'
import { ofSuccess } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { byDefault, misanswered, misread, without } from './misreadings-testing.ts'

const needsUsers = { needsUsers: true }
const making = 'create-channel-folder'
const creation = ['POST', '/channel_folders/create'] as const
const change = ['PATCH', /^\/channel_folders\/\d+$/] as const

/** Operations on folders of channels that do something else, or do not tell of it. */
export const faults: readonly SeededFault[] = [
  misread(making, 'channel folders without a description', creation, without('description'), needsUsers),
  ...['name', 'description', 'is_archived'].map((name) =>
    misread(making, `channel folders that keep their ${name}`, change, without(name), needsUsers),
  ),
  misread(
    making,
    'archived channel folders always listed',
    ['GET', '/channel_folders'],
    byDefault('include_archived', 'true'),
    needsUsers,
  ),
  misanswered(
    making,
    'channel folders that nobody has made',
    ofEvent('channel_folder', ({ channel_folder: folder }) => {
      if (folder) folder.creator_id = null
    }),
    true,
  ),
  misanswered(
    making,
    'channel folders with times in milliseconds',
    ofEvent('channel_folder', ({ channel_folder: folder }) => {
      if (folder) folder.date_created *= 1000
    }),
    true,
  ),
  misanswered(
    making,
    'changes of channel folders that are not told',
    ofEventList((events) => events.filter(({ type, op }) => type !== 'channel_folder' || op !== 'update')),
    true,
  ),
  misanswered(
    making,
    'channel folders that are not there at registration',
    ofSuccess('POST', '/register', (body) => {
      if ('channel_folders' in body) body.channel_folders = []
    }),
    true,
  ),
  misread(
    'reorder-channel-folders',
    'channel folders that stay in their order',
    ['PATCH', '/channel_folders'],
    (form) => {
      if (JSON.parse(form.get('order') ?? '[]').length > 0) form.set('order', '[]')
    },
    needsUsers,
  ),
  misanswered(
    'reorder-channel-folders',
    'orders of channel folders told backwards',
    ofEvent('channel_folder', ({ order }) => {
      order?.reverse()
    }),
    true,
  ),
  ...(['/channels/create', '/users/me/subscriptions'] as const).map((path) =>
    misread(
      `${making}/channels`,
      `channel folders of POST ${path} passed over`,
      ['POST', path],
      without('folder_id'),
      needsUsers,
    ),
  ),
  misread(
    `${making}/channels`,
    'channel folders that channels never leave',
    ['PATCH', /^\/streams\/\d+$/],
    without('folder_id', 'null'),
    needsUsers,
  ),
  misread(
    `${making}/channels`,
    'channel folders that leave use with their channels',
    change,
    without('is_archived'),
    needsUsers,
  ),
]
