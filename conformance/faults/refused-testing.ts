import { idOfNothing } from '../provocations/provocation.ts'
import type { SeededFault } from '../testing.ts'
import { type Json, ofEventList, refuse } from './changes-testing.ts'

/** A server that does a part of what it refuses: `change` leaves that part in the request. */
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

/** Ignores the parameter of this name. */
function without(name: string): (parameters: URLSearchParams) => void {
  return (parameters) => parameters.delete(name)
}

/** Changes the JSON value of a parameter, if it is present. */
function changedJson(name: string, change: (value: never) => unknown): (parameters: URLSearchParams) => void {
  return (parameters) => {
    const text = parameters.get(name)
    if (text !== null) parameters.set(name, JSON.stringify(change(JSON.parse(text) as never)))
  }
}

const subscriptions = /\/users\/me\/subscriptions$/

const isLong = (parameters: URLSearchParams, name: string): boolean => (parameters.get(name)?.length ?? 0) > 200
const hasNobody = (parameters: URLSearchParams, name: string): boolean =>
  (parameters.get(name) ?? '').includes('2147483646')
const withoutNobody = (name: string): ((parameters: URLSearchParams) => void) =>
  changedJson(name, (ids: number[]) => ids.filter((id) => id !== idOfNothing))

/** Parts of a refused call that are done anyway, for each operation that takes several things. */
export const faults: readonly SeededFault[] = [
  inPart(
    'the first of several settings',
    ['POST', /subscriptions\/properties$/],
    (parameters) => parameters.get('subscription_data')?.includes('"red"') ?? false,
    changedJson('subscription_data', ([first]: Json[]) => [first]),
  ),
  inPart(
    'channels left, none joined',
    ['PATCH', subscriptions],
    (parameters) => jsonOf(parameters, 'add')?.[0]?.name.length > 200,
    without('add'),
  ),
  inPart(
    'the first channels left, until one is unknown',
    ['DELETE', subscriptions],
    (parameters) => jsonOf(parameters, 'subscriptions')?.length === 3,
    changedJson('subscriptions', (names: string[]) => names.slice(0, 2)),
  ),
  inPart(
    'a channel made beside one that is hidden',
    ['POST', subscriptions],
    (parameters) =>
      jsonOf(parameters, 'subscriptions')?.[0]?.name.startsWith('Refused') && !parameters.has('principals'),
    changedJson('subscriptions', ([first]: Json[]) => [first]),
  ),
  inPart(
    'settings beside a wrong password',
    ['PATCH', /\/settings$/],
    (parameters) => parameters.has('old_password'),
    (parameters) => {
      for (const name of ['old_password', 'new_password']) parameters.delete(name)
    },
  ),
  inPart(
    'the role of whoever may not get a name',
    ['PATCH', /\/users\/\d+$/],
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
    ['POST', /\/users\/me\/status$/],
    (parameters) => parameters.get('emoji_name') === 'no_such_emoji',
    without('emoji_name'),
  ),
  inPart(
    'what a bot keeps beside a key that is too long',
    ['PUT', /bot_storage$/],
    (parameters) => Object.keys(jsonOf(parameters, 'storage') ?? {}).length === 2,
    changedJson('storage', ({ kept }: Json) => ({ kept })),
  ),
  {
    ...{ name: 'told of a setting that is refused (refused in part)', only: 'frame/refused' },
    ...{ violates: ['CONTRACT-EFFECT'], needsUsers: true, fault: toldThough() },
  },
]

/** Events about a refused setting come in the order of all others. */
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
