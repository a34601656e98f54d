import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'
import { byDefault, changedJson, misanswered, misread, renamed, without } from './misreadings-testing.ts'

const settings = ['PATCH', '/settings'] as const
const users = ['GET', '/users'] as const
const one = ['GET', /^\/users\/\d+$/] as const
const ending = ['DELETE', /^\/users\/\d+$/] as const
const needsUsers = { needsUsers: true }

/** Events of one kind are never told. */
function untold(isMeant: (event: Json) => boolean): Fault {
  return ofEventList((events) => events.filter((event) => !isMeant(event)))
}

/** What somebody asks of a user by an address is refused. */
function unknownBy(pattern: RegExp): Fault {
  return (answer, { method, path }) => {
    if (method === 'GET' && pattern.test(decodeURIComponent(path))) refuse(answer)
  }
}

/** Parameters of operations on people that are passed over, or taken for others. */
export const faults: readonly SeededFault[] = [
  misread('deactivate-user/deletions', 'messages kept in silence', ending, without('actions'), needsUsers),
  misread(
    'deactivate-user/deletions',
    'all messages deleted with an account',
    ending,
    changedJson('actions', () => ({
      ...{ delete_public_channel_messages: true, delete_private_channel_messages: true },
      delete_direct_messages: true,
    })),
    needsUsers,
  ),
  misanswered('get-user/names', 'nobody known by a stand-in for the address', unknownBy(/^\/users\/user\d+@/), true),
  misanswered(
    'get-user/names',
    'nobody’s presence known by an address',
    unknownBy(/^\/users\/[^/]*@[^/]*\/presence$/),
    true,
  ),
  ...[users, one].flatMap(([method, path]) => [
    misread('get-users/form', `client_gravatar passed over by ${path}`, [method, path], without('client_gravatar')),
    misread(
      'get-users/form',
      `no client_gravatar if nothing is said to ${path}`,
      [method, path],
      byDefault('client_gravatar', 'false'),
    ),
    misread(
      'get-users/form',
      `fields of profiles never told by ${path}`,
      [method, path],
      without('include_custom_profile_fields'),
    ),
    misread(
      'get-users/form',
      `fields of profiles always told by ${path}`,
      [method, path],
      byDefault('include_custom_profile_fields', 'true'),
    ),
  ]),
  misanswered(
    'create-user/account',
    'new people without their names',
    untold((event) => event.type === 'realm_user' && event.op === 'add'),
    true,
  ),
  misanswered(
    'create-user/account',
    'bots not told of new people',
    (answer, { authorization }) => {
      if (!isOfBot(authorization) || !Array.isArray(answer.body?.events)) return
      answer.body.events = answer.body.events.filter(({ type, op }: Json) => type !== 'realm_user' || op !== 'add')
    },
    true,
  ),
  misread(
    'create-user/account',
    'new people with another password',
    ['POST', '/users'],
    (parameters) => {
      if (parameters.get('password') === 'four winds meet 4') parameters.set('password', 'four winds meet 5')
    },
    needsUsers,
  ),
  misanswered('deactivate-user/memberships', 'whoever has gone still listed', stillThere(), true),
  misanswered(
    'deactivate-user/memberships',
    'whoever has gone still counted',
    ofSuccess('GET', '/users/me/subscriptions', (body) => {
      for (const channel of body.subscriptions) channel.subscriber_count = 2
    }),
    true,
  ),
  misanswered(
    'deactivate-user/memberships',
    'nobody told who has gone',
    untold(({ op }) => op === 'peer_remove'),
    true,
  ),
  misanswered(
    'deactivate-user/memberships',
    'members only come back',
    ofSuccess('GET', one[1], ({ user }) => {
      user.role = 400
    }),
    true,
  ),
  misread(
    'update-settings/each',
    'push notifications of followed topics kept as those by mail',
    settings,
    renamed('enable_followed_topic_push_notifications', 'enable_followed_topic_email_notifications'),
    needsUsers,
  ),
  misread(
    'update-settings/each',
    'a setting passed over',
    settings,
    without('web_left_sidebar_unreads_count_summary'),
    needsUsers,
  ),
  misread(
    'update-settings/each',
    'one choice taken for another',
    settings,
    (parameters) => {
      if (parameters.get('web_home_view') === 'all_messages') parameters.set('web_home_view', 'inbox')
    },
    needsUsers,
  ),
  misanswered(
    'update-settings/each',
    'one setting changed in silence',
    untold(({ property }) => property === 'emojiset'),
    true,
  ),
  misread(
    'update-settings/older',
    'settings of the display passed over by the name for notifications',
    ['PATCH', '/settings/notifications'],
    (parameters) => {
      for (const name of ['high_contrast_mode', 'color_scheme', 'enter_sends']) parameters.delete(name)
    },
    needsUsers,
  ),
  misread(
    'update-settings/older',
    'notifications passed over by the name for the display',
    ['PATCH', '/settings/display'],
    without('enable_sounds'),
    needsUsers,
  ),
  misread(
    'update-settings/refused',
    'what is right kept, although something is refused',
    settings,
    without('color_scheme', '77'),
    {
      fault(answer, { method, path, parameters }) {
        if (method === 'PATCH' && path === '/settings' && parameters.get('color_scheme') === '77') refuse(answer)
      },
    },
  ),
  misread(
    'update-settings/password',
    'new passwords passed over',
    settings,
    (parameters) => {
      parameters.delete('new_password')
      parameters.delete('old_password')
    },
    needsUsers,
  ),
  misread('update-settings/profile', 'time zones passed over', settings, without('timezone'), needsUsers),
  misread('update-settings/profile', 'names passed over', settings, without('full_name'), needsUsers),
  misread('update-own-status', 'a text takes the emoji away', ['POST', '/users/me/status'], (parameters) => {
    if (parameters.has('status_text') && !parameters.has('emoji_name')) parameters.set('emoji_name', '')
  }),
  misread(
    'update-own-status',
    'an emoji takes the text away',
    ['POST', '/users/me/status'],
    byDefault('status_text', ''),
  ),
  ...['away', 'emoji_code', 'reaction_type'].map((name) =>
    misread('update-own-status', `${name} of statuses passed over`, ['POST', '/users/me/status'], (parameters) => {
      if (name === 'away' && !parameters.has('status_text') && !parameters.has('emoji_name'))
        parameters.set(name, 'false')
      else parameters.delete(name)
    }),
  ),
  misread(
    'update-own-status',
    'an emoji by its name alone taken for another',
    ['POST', '/users/me/status'],
    (parameters) => {
      const isAlone = parameters.get('emoji_name') === 'octopus' && !parameters.has('emoji_code')
      if (isAlone) parameters.set('emoji_name', 'tada')
    },
  ),
  misread('add-alert-words', 'words removed in their own case only', ['DELETE', '/users/me/alert_words'], () => {}, {
    fault(answer, { method, path, parameters }) {
      const words = parameters.get('alert_words') ?? ''
      if (method === 'DELETE' && path === '/users/me/alert_words' && words.includes('COFFEE')) {
        answer.body.alert_words.push(words.slice(2).split('"')[0]?.toLowerCase())
      }
    },
  }),
  misanswered(
    'mute-user',
    'times of muted people in milliseconds',
    ofSuccess('POST', '/register', ({ muted_users: muted = [] }) => {
      for (const user of muted) user.timestamp *= 1000
    }),
    true,
  ),
  misanswered('update-bot-storage', 'keys that are not there passed over', (answer, { method, path }) => {
    if (method !== 'GET' || path !== '/bot_storage' || answer.status === 200) return
    answer.status = 200
    answer.body = { result: 'success', msg: '', storage: {} }
  }),
]

function isOfBot(authorization: string): boolean {
  return Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().startsWith('demo-bot@')
}

/** Whoever was ever among the subscribers of a channel is. */
function stillThere(): Fault {
  const known = new Map<string, Set<number>>()
  return (answer, { method, path }) => {
    if (method !== 'GET' || !path.endsWith('/members') || answer.status !== 200) return
    const all = known.get(path) ?? new Set()
    for (const id of [...answer.body.subscribers, answer.body.subscribers[0] + 1]) all.add(id)
    known.set(path, all)
    answer.body.subscribers = [...all]
  }
}
