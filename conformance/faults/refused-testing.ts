import { idOfNothing } from '../provocations/provocation.ts'
import type { SeededFault } from '../testing.ts'
import { type Json, refuse } from './changes-testing.ts'

/** A server that does a part of what it refuses: `change` leaves that part in the request. */
function inPart(
  name: string,
  [method, path]: readonly [string, RegExp],
  isRefused: (parameters: URLSearchParams) => boolean,
  change: (parameters: URLSearchParams) => void,
): SeededFault {
  return {
    name: `${name} (refused in part)`,
    only: 'frame/refused',
    violates: ['CONTRACT-EFFECT'],
    needsUsers: true,
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

const subscriptions = /\/users\/me\/subscriptions$/

const jsonOf = (parameters: URLSearchParams, name: string): Json => JSON.parse(parameters.get(name) ?? 'null')

/** Parts of a refused call that are done anyway: one shows in answers, one makes a channel, one sends an event. */
export const faults: readonly SeededFault[] = [
  inPart(
    'channels left, none joined',
    ['PATCH', subscriptions],
    (parameters) => jsonOf(parameters, 'add')?.[0]?.name.length > 200,
    (parameters) => parameters.delete('add'),
  ),
  inPart(
    'a channel made beside one that is hidden',
    ['POST', subscriptions],
    (parameters) =>
      jsonOf(parameters, 'subscriptions')?.[0]?.name.startsWith('Refused') && !parameters.has('principals'),
    (parameters) => parameters.set('subscriptions', JSON.stringify(jsonOf(parameters, 'subscriptions').slice(0, 1))),
  ),
  inPart(
    'a message to those who are known',
    ['POST', /\/messages$/],
    (parameters) => parameters.get('type') === 'direct' && jsonOf(parameters, 'to').includes(idOfNothing),
    (parameters) => parameters.set('to', JSON.stringify(jsonOf(parameters, 'to').slice(0, 1))),
  ),
]
