import { uploadedPath } from '../acts/attachments.ts'
import { operationNamed, requestOf, type Values } from '../deployment/account.ts'
import type { WrittenCheck } from '../kernel/check.ts'
import { isOneObject } from '../kernel/envelope.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import { holds } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { OperationFinder } from '../wire/operation-finder.ts'
import { isRefused } from '../wire/values.ts'

const none = idOfNothing
/** Before level 313 the operation accepts only ids. */
const byAddress = '/users/nobody@conformance.invalid'
/** Method and path of the operations that have a heading in requirements.yaml. */
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
/** Deployed servers have it at another path. */
const elsewhere = '/users/me/android_push_reg_id'

export const checks: readonly WrittenCheck[] = [
  {
    id: 'conventions/parameters',
    title: 'parameters are read from path, query and form, and the feature level is one integer',
    requirements: ['ENV-1', 'ENV-2', 'ENV-5', 'ENV-14', 'ENV-16', 'LEVEL-INT'],
    async run(t) {
      const { user, channel, messageId } = await t.scene()
      const level = (await user.call('get-server-settings')).body?.zulip_feature_level
      const state = await user.must('register-queue', { event_types: ['message'] })
      const isSame = Number.isInteger(level) && state.body.zulip_feature_level === level
      t.that('LEVEL-INT', state, isSame, `\`zulip_feature_level\` is ${level}, as in GET /server_settings`)
      const content = t.unique('From the form')
      const form = { type: 'stream', to: channel.id, topic: 'conventions', content }
      const sent = await user.call('send-message', form)
      if (!t.that('ENV-1', sent, sent.status === 200, 'a message from the parameters of the form')) return
      const raw = await user.call('get-message', { message_id: sent.body.id, apply_markdown: false })
      t.that('ENV-2', raw, raw.body?.message?.content === content, `\`content\` as the query asks for it: "${content}"`)
      const seconds = raw.body?.message?.timestamp
      t.that('ENV-16', raw, seconds > 1e9 && seconds < 1e11, '`timestamp` counts seconds since 1970')
      const other = await user.call('get-message', { message_id: messageId })
      t.that('ENV-5', other, other.body?.message?.id === messageId, `the message ${messageId} that the path names`)
      const beyond = await user.call('get-message', { message_id: messageId + 2 ** 32 })
      t.that('ENV-5', beyond, isRefused(beyond), `a refusal, and not message ${messageId}, of a number above 32 bits`)
      const twice = await user.send({
        method: 'POST',
        path: `/api/v1/messages?content=${encodeURIComponent('From the query')}`,
        form: Object.entries(form).map(([name, value]) => [name, String(value)] as const),
      })
      t.that('ENV-14', twice, twice.status === 200, 'a message, with `content` from the form')
      if (twice.status !== 200) return
      const both = await user.call('get-message', { message_id: twice.body.id, apply_markdown: false })
      t.that('ENV-14', both, both.body?.message?.content === content, `\`content\` of the form: "${content}"`)
    },
  },
  {
    id: 'conventions/addresses',
    title: 'a path without an operation is refused',
    requirements: ['ENV-6', 'ENV-17', 'ERR-HTTP-5', 'ERR-HTTP-6'],
    async run(t) {
      const { user } = await t.scene()
      const isApi = ({ body }: Exchange): boolean => body?.result === 'success' && body.user_id === user.userId
      const below = await user.send({ method: 'GET', path: '/api/v1/users/me' })
      t.that('ENV-17', below, isApi(below), 'the caller’s own user below /api/v1')
      const bare = await user.send({ method: 'GET', path: '/users/me' })
      t.that('ENV-17', bare, !isApi(bare), 'no answer of the API without /api/v1')
      const unknown = await user.send({ method: 'GET', path: '/api/v1/conformance_none' })
      const isError = !isOneObject(t, unknown) || unknown.body.result === 'error'
      t.that('ERR-HTTP-6', unknown, unknown.status === 404 && isError, 'HTTP status 404 and an error in JSON')
      const wrong = await user.send({ method: 'PUT', path: '/api/v1/messages' })
      isOneObject(t, wrong)
      const isFull = wrong.status === 405 && wrong.headers.has('allow') && Array.isArray(wrong.body?.allowed_methods)
      t.that('ERR-HTTP-5', wrong, isFull, 'HTTP status 405, the header Allow and `allowed_methods`')
      if (wrong.status === 405) {
        t.thatOrDeviates('NOTE-20', 'ERR-HTTP-5', wrong, wrong.body?.code !== undefined, '`code`, also with HTTP 405')
      }
    },
  },
  {
    id: 'conventions/files',
    title: 'a missing file is answered with JSON',
    requirements: ['ENV-6'],
    async run(t) {
      const { user, other } = await t.scene()
      const { deployment } = t
      const request = (operation: string, values: Values) =>
        requestOf(operationNamed(deployment.contract, operation), values)
      const nothing = { realm_id_str: '1', file_key: 'conformance', file_name: 'none.txt', token: 'conformance' }
      const own = { method: 'GET', path: await uploadedPath(user, 'Only mine.') }
      const refused = [
        await user.send(request('get-uploaded-file', nothing)),
        await deployment.send(request('get-temporary-file', nothing)),
        await other.send(own),
        await deployment.send(own),
      ]
      for (const exchange of refused) {
        const isRefusal = isOneObject(t, exchange) && exchange.status >= 400 && exchange.body.result === 'error'
        t.that('ENV-6', exchange, isRefusal, 'a refusal, because there is no such file for this caller')
      }
    },
  },
  {
    area: 'Conventions',
    id: 'served/documented',
    title: 'each of the 22 operations with requirements of its own is served',
    requirements: ['SCOPE-4'],
    async run(t) {
      // A member sends requests without parameters or subject. Each is refused, or changes nothing.
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
