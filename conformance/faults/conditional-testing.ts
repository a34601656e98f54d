import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse, succeed } from './changes-testing.ts'

const exports = '/export/realm'
const limits = { only: 'refusals/rate-limit', needsUsers: true, settings: { PARLEY_RATE_LIMITS: 'on' } } as const

/** Treats exports of one kind as exports of another. */
const asIf = (name: string, violates: readonly string[], from: string | null, to: string): SeededFault => ({
  name,
  only: 'data-exports/archives',
  needsUsers: true,
  violates,
  fault: () => {},
  settings: { PARLEY_OWNER_FULL_CONTENT_ACCESS: 'on' },
  before({ method, url, form }) {
    if (method !== 'POST' || !url.pathname.endsWith(exports) || form.get('export_type') !== from) return
    form.set('export_type', to)
  },
})

const ofRateLimit =
  (change: Fault): Fault =>
  (answer, request) => {
    if (answer.body?.code === 'RATE_LIMIT_HIT') return change(answer, request)
  }

const atUser = /^\/users\/\d+$/

/** A server with a channel of more than 250 subscribers, of which `partial` returns a part. */
function large(violates: string, partial: (subscription: Json, all: readonly number[]) => void): SeededFault {
  const many = Array.from({ length: 300 }, (_, index) => 1_000_000 + index)
  const fault: Fault = (answer, { method, path, parameters }) => {
    if (method !== 'GET') return
    if (path === '/users') answer.body?.members?.push({ user_id: many[0], is_bot: true, is_active: true })
    if (path !== '/users/me/subscriptions') return
    const asked = parameters.get('include_subscribers')
    for (const one of answer.body?.subscriptions ?? []) {
      if (one.subscribers === undefined) continue
      const all = [...one.subscribers, ...many]
      if (asked === 'true') one.subscribers = all
      if (asked === 'partial') {
        delete one.subscribers
        partial(one, all)
      }
    }
  }
  return { name: `large channel: ${violates}`, only: 'subscription-lists/subscribers', violates: [violates], fault }
}

/** For checks that need unusual settings, or what not every server has. */
export const faults: readonly SeededFault[] = [
  large('SUBS-5', (one, all) => {
    one.subscribers = all
    one.partial_subscribers = all
  }),
  large('SUB-FIELD-13', (one, all) => {
    one.partial_subscribers = [...all, 999_999]
  }),
  large('SUB-FIELD-14', (one, all) => {
    one.partial_subscribers = all.filter((id) => id !== 1_000_000)
  }),
  large('SUB-FIELD-15', (one, all) => {
    one.partial_subscribers = all.filter((id) => id >= 1_000_000)
  }),
  {
    // Needs its own server: while somebody else is an owner too, the check does not look at the last owner.
    name: 'ownership that everybody takes, and that nobody is seen to have',
    only: 'users/owner',
    violates: ['USER-UPD-7'],
    needsUsers: true,
    settings: { PARLEY_RATE_LIMITS: 'off' },
    fault(answer, { method, path }) {
      if (method === 'PATCH' && atUser.test(path) && answer.status !== 200) succeed(answer)
      if (method === 'GET' && atUser.test(path) && answer.body?.user?.role === 100) answer.body.user.role = 400
    },
  },
  {
    name: 'a push service that is missing as an error of the server',
    only: 'push/test',
    violates: ['PUSHTEST-8'],
    needsUsers: true,
    fault(answer, { path }) {
      if (path === '/mobile_push/e2ee/test_notification') refuse(answer, 'PUSH_SERVICE_NOT_CONFIGURED')
      if (answer.body?.code === 'PUSH_SERVICE_NOT_CONFIGURED') answer.status = 501
    },
  },
  {
    name: 'keys of somebody else',
    only: 'effects/dev-fetch-api-key',
    violates: ['dev-fetch-api-key'],
    settings: { PARLEY_DEVELOPMENT_LOGIN: 'on' },
    fault: ofSuccess('POST', '/dev_fetch_api_key', (body) => {
      body.api_key = 'a'.repeat(32)
    }),
  },
  asIf('public exports with what people agreed to', ['EXPORT-2', 'EXPORT-3'], null, 'full_with_consent'),
  asIf('exports of what nobody agreed to', ['EXPORT-4'], 'full_with_consent', 'full_without_consent'),
  asIf('exports without what people agreed to', ['EXPORT-4'], 'full_with_consent', 'public'),
  asIf('whole exports with consent only', ['EXPORT-5'], 'full_without_consent', 'full_with_consent'),
  {
    name: 'exports without end',
    only: 'data-exports/rights',
    violates: ['EXPORT-11'],
    needsUsers: true,
    settings: { PARLEY_RATE_LIMITS: 'on' },
    fault: ofSuccess('GET', exports, (body) => {
      body.exports = Array.from({ length: 5 }, (_, id) => ({ id, export_time: Date.now() / 1000 }))
    }),
  },
  {
    name: 'exports that are too large for other reasons',
    needsUsers: true,
    only: 'data-exports/rights',
    violates: ['EXPORT-9', 'EXPORT-10'],
    settings: { PARLEY_MAX_EXPORT_MESSAGES: '1' },
    fault(answer, { method, path }) {
      if (method === 'POST' && path === exports && answer.status >= 400) refuse(answer, 'TOO_LARGE')
    },
  },
  {
    ...limits,
    name: 'no seconds to wait after too many requests',
    violates: ['LIMIT-19'],
    fault: ofRateLimit(({ body, headers }) => {
      delete body['retry-after']
      headers.delete('retry-after')
    }),
  },
  {
    ...limits,
    name: 'count of requests that is not told',
    violates: ['LIMIT-20'],
    fault({ headers }) {
      headers.delete('x-ratelimit-remaining')
    },
  },
]
