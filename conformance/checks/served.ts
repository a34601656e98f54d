import type { Check } from '../kernel/check.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import { holds } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { OperationFinder } from '../wire/operation-finder.ts'

const none = idOfNothing
/** Before level 313 the operation accepts only ids. */
const byAddress = '/users/nobody@conformance.invalid'
/** Method and path of each operation in the contract's section about endpoints. */
const documented: readonly (readonly [method: string, path: string])[] = [
  ['PATCH', `/messages/${none}`],
  ['GET', '/events'],
  ['PATCH', byAddress],
  ['PATCH', `/users/${none}`],
  ['POST', '/users/me/presence'],
  ['GET', '/messages/matches_narrow'],
  ['GET', `/messages/${none}`],
  ['PATCH', '/realm/user_settings_defaults'],
  ['POST', `/streams/${none}/delete_topic`],
  ['POST', '/drafts'],
  ['PATCH', `/users/me/subscriptions/${none}`],
  ['PATCH', '/users/me/profile_data'],
  ['POST', '/mark_topic_as_read'],
  ['POST', `/messages/${none}/reactions`],
  ['GET', `/users/me/${none}/topics`],
  ['PATCH', `/saved_snippets/${none}`],
  ['POST', '/realm/playgrounds'],
  ['POST', '/reminders'],
  ['POST', '/users/me/android_push_reg_id'],
  ['POST', '/export/realm'],
  ['POST', '/mobile_push/e2ee/test_notification'],
  ['GET', '/users/me/subscriptions'],
]
/** Deployed servers have it at another address. */
const elsewhere = '/users/me/android_push_reg_id'

export const checks: readonly Check[] = [
  {
    area: 'Conventions',
    profile: 'core',
    id: 'served/documented',
    title: 'every operation of the contract is served',
    requirements: ['SCOPE-4'],
    operations: ['get-own-user'],
    async run(t) {
      // Requests by a member without parameters and subject: each is refused, or changes nothing.
      const { user } = await t.scene()
      const ask = (method: string, path: string) => user.send({ method, path: `/api/v1${path}` })
      const finder = OperationFinder.of(t.deployment.contract)
      const nowhere = await ask('GET', '/conformance_none')
      const isNowhere = ({ status, body, text }: Exchange): boolean =>
        status === nowhere.status && (body === undefined ? text === nowhere.text : body.msg === nowhere.body?.msg)
      for (const [method, path] of documented) {
        const operation = finder.find(method, `/api/v1${path}`)
        const levels = path === byAddress ? { from: 313 } : operation?.levels
        if (!holds(levels ?? {}, t.level)) continue
        const exchange = await ask(method, path)
        const isServed = exchange.status !== 405 && !isNowhere(exchange)
        const says = `an answer of ${method} ${path}, neither HTTP 405 nor that there is no such address`
        if (path === elsewhere) t.thatOrDeviates('NOTE-12', 'SCOPE-4', exchange, isServed, says)
        else t.that('SCOPE-4', exchange, isServed, says)
      }
    },
  },
]
