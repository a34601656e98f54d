import type { SeededFault } from '../testing.ts'
import { changedJson, misread } from './misreadings-testing.ts'

const needsUsers = { needsUsers: true }
const subscriptions = '/users/me/subscriptions'

/** At most this many of a list count. */
const atMost = (name: string, most: number): ((parameters: URLSearchParams) => void) =>
  changedJson(name, (list: unknown[]) => (Array.isArray(list) ? list.slice(0, most) : list))

/** A text of exactly that length loses its end. */
function cut(name: string, length: number): (parameters: URLSearchParams) => void {
  return (parameters) => {
    const text = [...(parameters.get(name) ?? '')]
    if (text.length === length) parameters.set(name, text.slice(0, -1).join(''))
  }
}

function cutField(field: string, length: number): (parameters: URLSearchParams) => void {
  return changedJson('subscriptions', (list: Record<string, string>[]) =>
    list.map((one) =>
      [...(one[field] ?? '')].length === length ? { ...one, [field]: one[field]?.slice(0, -1) } : one,
    ),
  )
}

/** Lists and texts of which only a part counts. */
export const faults: readonly SeededFault[] = [
  misread('update-message-flags/many', 'ten messages at most', ['POST', '/messages/flags'], atMost('messages', 10)),
  misread(
    'update-message-flags/many',
    'records of ten messages at most',
    ['GET', '/messages/matches_narrow'],
    atMost('msg_ids', 10),
  ),
  ...(
    [
      ['POST', 'subscriptions'],
      ['POST', 'principals'],
      ['DELETE', 'subscriptions'],
      ['PATCH', 'add'],
      ['PATCH', 'delete'],
    ] as const
  ).map(([method, name]) =>
    misread(
      'subscribe/many',
      `${method === 'PATCH' ? 'one' : 'two'} of ${name} at most (${method})`,
      [method, subscriptions],
      atMost(name, method === 'PATCH' ? 1 : 2),
      needsUsers,
    ),
  ),
  ...['POST', 'DELETE'].map((method) =>
    misread(
      'subscribe/many',
      `two words at most (${method})`,
      [method, '/users/me/alert_words'],
      atMost('alert_words', 2),
      needsUsers,
    ),
  ),
  misread('subscribe/many', 'two users at most', ['GET', '/users'], atMost('user_ids', 2), needsUsers),
  misread('subscribe/longest', 'statuses a little too short', ['POST', '/users/me/status'], cut('status_text', 60)),
  misread('subscribe/longest', 'names a little too short', ['POST', subscriptions], cutField('name', 60)),
  misread(
    'subscribe/longest',
    'descriptions a little too short',
    ['POST', subscriptions],
    cutField('description', 1024),
  ),
]
