import { idOfNothing } from '../provocations/provocation.ts'
import type { SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'
import { changedJson, misanswered, without } from './misreadings-testing.ts'

/** A server that does a part of what it refuses: `change` leaves in the request the part that it does. */
function inPart(
  name: string,
  [method, path]: readonly [string, RegExp],
  isRefused: (parameters: URLSearchParams) => boolean,
  change: (parameters: URLSearchParams) => void,
): SeededFault {
  return {
    ...{ name: `${name} (refused in part)`, only: 'frame/refused', violates: ['CONTRACT-EFFECT'], needsUsers: true },
    before({ method: asked, url, form }) {
      if (asked !== method || !path.test(url.pathname)) return
      const parameters = form.size > 0 ? form : url.searchParams
      if (isRefused(parameters)) change(parameters)
    },
    fault(answer, { method: asked, path: here, parameters }) {
      if (asked === method && path.test(here) && isRefused(parameters)) refuse(answer)
    },
  }
}

const jsonOf = (parameters: URLSearchParams, name: string): Json => JSON.parse(parameters.get(name) ?? 'null')
const many = ['POST', /subscriptions\/properties$/] as const
const subscriptions = /\/users\/me\/subscriptions$/
const settings = ['PATCH', /\/settings$/] as const
const account = ['PATCH', /\/users\/\d+$/] as const
const status = ['POST', /\/users\/me\/status$/] as const

const isLong = (parameters: URLSearchParams, name: string): boolean => (parameters.get(name)?.length ?? 0) > 200
const hasNobody = (parameters: URLSearchParams, name: string): boolean =>
  (parameters.get(name) ?? '').includes('2147483646')
const withoutNobody = (name: string): ((parameters: URLSearchParams) => void) =>
  changedJson(name, (ids: number[]) => ids.filter((id) => id !== idOfNothing))

/** Parts of a refused call that are done all the same, each where another operation takes several things. */
export const faults: readonly SeededFault[] = [
  inPart(
    'the first of several settings',
    many,
    (parameters) => parameters.get('subscription_data')?.includes('"red"') ?? false,
    changedJson('subscription_data', ([first]: Json[]) => [first]),
  ),
  inPart(
    'the last of several settings',
    many,
    (parameters) => hasNobody(parameters, 'subscription_data'),
    changedJson('subscription_data', (all: Json[]) => all.slice(-1)),
  ),
  inPart(
    'channels left, none joined',
    ['PATCH', subscriptions],
    (parameters) => jsonOf(parameters, 'add')?.[0]?.name.length > 200,
    without('add'),
  ),
  inPart(
    'channels joined, none left',
    ['PATCH', subscriptions],
    (parameters) => jsonOf(parameters, 'add')?.[0]?.name === jsonOf(parameters, 'delete')?.[0],
    without('delete'),
  ),
  inPart(
    'the first channels left, until one is unknown',
    ['DELETE', subscriptions],
    (parameters) => jsonOf(parameters, 'subscriptions')?.length === 3,
    changedJson('subscriptions', (names: string[]) => names.slice(0, 2)),
  ),
  inPart(
    'those who are known leave',
    ['DELETE', subscriptions],
    (parameters) => hasNobody(parameters, 'principals'),
    withoutNobody('principals'),
  ),
  inPart(
    'those who are known join',
    ['POST', subscriptions],
    (parameters) => hasNobody(parameters, 'principals'),
    withoutNobody('principals'),
  ),
  inPart(
    'a channel made beside one that is hidden',
    ['POST', subscriptions],
    (parameters) =>
      jsonOf(parameters, 'subscriptions')?.[0]?.name.startsWith('Refused') && !parameters.has('principals'),
    changedJson('subscriptions', ([first]: Json[]) => [first]),
  ),
  ...(
    [
      ['settings beside an invalid colour scheme', 'color_scheme'],
      ['a name beside an invalid switch', 'enter_sends'],
    ] as const
  ).map(([name, wrong]) => inPart(name, settings, (parameters) => parameters.has(wrong), without(wrong))),
  inPart(
    'settings beside a wrong password',
    settings,
    (parameters) => parameters.has('old_password'),
    (parameters) => {
      for (const name of ['old_password', 'new_password']) parameters.delete(name)
    },
  ),
  inPart(
    'the name of whoever may not get a role',
    account,
    (parameters) => parameters.get('role') === '100',
    without('role'),
  ),
  inPart(
    'the role of whoever may not get a name',
    account,
    (parameters) => isLong(parameters, 'full_name'),
    without('full_name'),
  ),
  inPart(
    'the content of what goes to a hidden channel',
    ['PATCH', /\/messages\/\d+$/],
    (parameters) => parameters.has('stream_id') && parameters.has('content'),
    without('stream_id'),
  ),
  inPart(
    'a message to those who are known',
    ['POST', /\/messages$/],
    (parameters) => hasNobody(parameters, 'to') && parameters.get('type') === 'direct',
    withoutNobody('to'),
  ),
  inPart(
    'alert words before one that is too long',
    ['POST', /alert_words$/],
    (parameters) => jsonOf(parameters, 'alert_words')?.length === 3,
    changedJson('alert_words', ([first]: string[]) => [first]),
  ),
  inPart(
    'a status without its emoji',
    status,
    (parameters) => parameters.get('emoji_name') === 'no_such_emoji',
    without('emoji_name'),
  ),
  inPart(
    'an emoji without its status',
    status,
    (parameters) => isLong(parameters, 'status_text'),
    without('status_text'),
  ),
  inPart(
    'what a bot keeps beside a key that is too long',
    ['PUT', /bot_storage$/],
    (parameters) => Object.keys(jsonOf(parameters, 'storage') ?? {}).length === 2,
    changedJson('storage', ({ kept }: Json) => ({ kept })),
  ),
  inPart(
    'what a bot keeps under the first of two keys',
    ['DELETE', /bot_storage$/],
    (parameters) => jsonOf(parameters, 'keys')?.length === 2,
    changedJson('keys', ([first]: string[]) => [first]),
  ),
  {
    ...{ name: 'told of a setting that is refused (refused in part)', only: 'frame/refused' },
    ...{ violates: ['CONTRACT-EFFECT'], needsUsers: true, fault: toldThough() },
  },
  misanswered(
    'unsubscribe/mixed',
    'left by some is left',
    ofSuccess('DELETE', '/users/me/subscriptions', (body) => {
      body.not_removed = body.not_removed.filter((name: string) => !body.removed.includes(name))
    }),
    true,
  ),
  misanswered(
    'unsubscribe/mixed',
    'left by some is not left',
    ofSuccess('DELETE', '/users/me/subscriptions', (body) => {
      body.removed = body.removed.filter((name: string) => !body.not_removed.includes(name))
    }),
    true,
  ),
  ...(
    [
      ['the list of channels', 'GET', '/streams', 'streams'],
      ['the list of one’s own', 'GET', '/users/me/subscriptions', 'subscriptions'],
      ['the state', 'POST', '/register', 'subscriptions'],
      ['the state of whoever does not follow', 'POST', '/register', 'never_subscribed'],
    ] as const
  ).flatMap(([place, method, path, field]) =>
    [true, false].map((isGone) =>
      misanswered(
        'deactivate-user/memberships',
        `${isGone ? 'who has gone still' : 'whoever is back not'} counted in ${place}`,
        miscounted(isGone, method, path, field),
        true,
      ),
    ),
  ),
  {
    ...{ name: 'to unmute ends that a topic is followed (misread)', only: 'effects/mute-topic/others' },
    ...{ violates: ['CONTRACT-EFFECT'], fault: unfollowed() },
  },
]

/** Events of a setting that was refused come in the order of all others. */
function toldThough(): SeededFault['fault'] {
  let isDue = false
  const tell = ofEventList((events) => {
    const [first] = events
    if (!isDue || first?.type !== 'message') return events
    isDue = false
    return [{ type: 'user_settings', op: 'update', property: 'color_scheme', value: 2, id: first.id }, ...events]
  })
  return (answer, request) => {
    if (request.parameters.get('color_scheme') === '77') isDue = true
    tell(answer, request)
  }
}

/** Counts one too many from a deactivation on, until that ends; or one too few from then on. */
function miscounted(isGone: boolean, method: string, path: string, field: string): SeededFault['fault'] {
  let isOn = false
  return (answer, { method: asked, path: here }) => {
    if (answer.status !== 200) return
    if (asked === 'DELETE' && /^\/users\/\d+$/.test(here)) isOn = isGone
    if (asked === 'POST' && here.endsWith('/reactivate')) isOn = !isGone
    if (!isOn || asked !== method || here !== path) return
    for (const one of answer.body[field] ?? []) one.subscriber_count += isGone ? 1 : -1
  }
}

/** Whoever takes a mute back has no policy for the topic in the state from then on. */
function unfollowed(): SeededFault['fault'] {
  const ended = new Set<string>()
  return ({ body }, { path, parameters }) => {
    const topic = parameters.get('topic')?.toLowerCase() ?? ''
    if (path === '/user_topics') ended.delete(topic)
    if (path.endsWith('/muted_topics') && parameters.get('op') === 'remove') ended.add(topic)
    if (path !== '/register' || !body?.user_topics) return
    body.user_topics = body.user_topics.filter((one: Json) => !ended.has(one.topic_name.toLowerCase()))
  }
}
