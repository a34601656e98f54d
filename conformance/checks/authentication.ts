import { validRequest } from '../acts/valid-request.ts'
import { LeftOutError, requestOf } from '../deployment/account.ts'
import type { WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { isOneCodeForAll } from '../kernel/former-codes.ts'
import { ofNobody } from '../kernel/messaging.ts'
import { deactivatedUser } from '../provocations/generic.ts'
import type { Contract, Operation } from '../wire/contract.ts'
import type { Exchange, Login } from '../wire/http.ts'
import { isRefused } from '../wire/values.ts'
import { by, refuses } from './outcomes.ts'

const base = { area: 'Authentication' } as const

const ownChecks: readonly WrittenCheck[] = [
  {
    ...base,
    id: 'authentication/none',
    title: 'every operation refuses a request without credentials',
    asksEach: 'all',
    requirements: ['AUTH-2', 'AUTH-17'],
    async run(t) {
      for (const operation of t.deployment.contract.operations.values()) {
        if (operation.minimumRole === 'anonymous' || !operation.hasEnvelope || t.deployment.notAsked(operation))
          continue
        const exchange = await t.deployment.send(requestOf(operation, {}))
        const says = `a refusal of ${operation.id} without credentials`
        t.that('AUTH-2', exchange, isRefused(exchange), says)
        // A challenge may have other parameters too, such as `charset` (RFC 7617).
        const isChallenged = /^Basic realm="zulip"(?:,|$)/i.test(exchange.headers.get('www-authenticate') ?? '')
        const isFull = exchange.status === 401 && exchange.body?.code === 'UNAUTHORIZED' && isChallenged
        t.that('AUTH-17', exchange, isFull, 'HTTP 401, UNAUTHORIZED and WWW-Authenticate: Basic realm="zulip"')
      }
    },
  },
  {
    id: 'authentication/basic',
    title: 'people and bots authenticate with an email address and its API key, and with neither alone',
    requirements: ['AUTH-1', 'AUTH-3', 'AUTH-4', 'AUTH-5', 'AUTH-18', 'AUTH-20'],
    async run(t) {
      const [user, other] = [await t.user(), await t.user()]
      const { email, apiKey } = user.login
      const right = await who(t, user.login)
      t.that('AUTH-1', right, right.body?.user_id === user.userId, `user ${user.userId}`)
      const wrong = await who(t, { email, apiKey: 'a'.repeat(32) })
      refuses(by(t, 'AUTH-3'), wrong, 'the key is wrong')
      for (const address of [other.login.email, ''])
        refuses(by(t, 'AUTH-4'), await who(t, { email: address, apiKey }), 'the key is somebody else’s')
      const otherEnd = `${apiKey.slice(0, -1)}${apiKey.endsWith('a') ? 'b' : 'a'}`
      const otherCase = [apiKey.toUpperCase(), apiKey.toLowerCase()].find((one) => one !== apiKey) ?? ''
      for (const near of [apiKey.slice(0, -1), otherEnd, otherCase, `${apiKey}a`, ''])
        refuses(by(t, 'AUTH-3'), await who(t, { email, apiKey: near }), 'that is not the whole key')
      const malformed = await who(t, { email, apiKey: 'short' })
      for (const [exchange, msg] of [
        [wrong, 'Invalid API key'],
        [malformed, 'Malformed API key'],
      ] as const) {
        if (refusesFor(t, 'AUTH-18', exchange, 'INVALID_API_KEY')) t.refusedWith('AUTH-18', exchange, msg)
        t.that('AUTH-18', exchange, exchange.status === 401, 'HTTP status 401')
      }
      const loud = await who(t, { email: ` ${email.toUpperCase()} `, apiKey: ` ${apiKey} ` })
      const expected = `user ${user.userId}, whatever the case of the address`
      t.that('AUTH-20', loud, loud.body?.user_id === user.userId, expected)
      const bot = t.deployment.given.find(({ isBot }) => isBot)
      if (bot === undefined) return void t.remarks.add('AUTH-5: needs the credentials of a bot')
      const known = await who(t, bot.login)
      t.that('AUTH-5', known, known.body?.user_id === bot.userId, `user ${bot.userId}`)
      refuses(by(t, 'AUTH-4'), await who(t, { ...bot.login, email }), 'the key is that of a bot')
    },
  },
  {
    id: 'authentication/password',
    title: 'a password can be exchanged for the API key',
    requirements: ['AUTH-16'],
    async run(t) {
      const user = await t.newUser()
      const exchange = await ofNobody(t, 'fetch-api-key', { username: user.email, password: user.password })
      const { body } = exchange
      const isKey = body?.api_key === user.login.apiKey && body.email === user.email
      t.that('AUTH-16', exchange, isKey, '`api_key` and `email` of the account')
      t.that('AUTH-16', exchange, body?.user_id === user.userId, `\`user_id\` is ${user.userId}`)
    },
  },
  {
    id: 'authentication/deactivated',
    title: 'the API key of a deactivated account is refused',
    requirements: ['AUTH-19'],
    async run(t) {
      const user = await t.newUser()
      await t.person('administrator').must('deactivate-user', { user_id_or_email: user.userId })
      const exchange = await who(t, user.login)
      refusesFor(t, 'AUTH-19', exchange, 'USER_DEACTIVATED')
      t.that('AUTH-19', exchange, exchange.status === 401, 'HTTP status 401')
    },
  },
]

/** The checks above, and, for every operation with credentials, a valid request with wrong credentials. */
export function checks({ operations }: Contract): WrittenCheck[] {
  const impostors = [...operations.values()]
    .filter(({ minimumRole }) => minimumRole !== 'anonymous')
    .map(
      (operation): WrittenCheck => ({
        asksEach: operation.id,
        id: `impostors/${operation.id}`,
        title: `${operation.id} is refused without the caller’s own key`,
        requirements: ['AUTH-2', 'AUTH-3', 'AUTH-4'],
        also: ['AUTH-19', 'CONTRACT-CODE'],
        run: (t) => refusesImpostors(t, operation),
      }),
    )
  return [...ownChecks, ...impostors]
}

function who(t: CheckContext, login: Login): Promise<Exchange> {
  return t.deployment.send({ method: 'GET', path: '/api/v1/users/me' }, { login, caller: 'member' })
}

/** Whether wrong credentials are refused with `code`. Deployed servers use one code for all cases (NOTE-43). */
function refusesFor(t: CheckContext, id: string, exchange: Exchange, code: string): boolean {
  const given: unknown = exchange.body?.code
  return t.thatOrDeviates('NOTE-43', id, exchange, given === code, `\`code\` is "${code}"`, given === 'UNAUTHORIZED')
}

async function refusesImpostors(t: CheckContext, operation: Operation): Promise<void> {
  t.mustDocument(operation)
  const right = await validRequest(t, operation).catch((err: unknown) => {
    if (!(err instanceof LeftOutError)) throw err
  })
  // If nobody can send a valid request, send an invalid one: the key is checked first.
  const { as, values } = right ?? { as: (await t.scene()).user, values: {} }
  const { people } = await t.scene()
  const other = people.find((person) => person.userId !== as.userId) ?? (await t.userIfAny())
  const gone = await deactivatedUser(t)
  const { email } = as.login
  const request = requestOf(operation, values)
  const refused = async (id: string, code: string, whose: string, login?: Login): Promise<void> => {
    // The server may slow down requests with wrong keys. No other check waits for that.
    const exchange = await t.deployment.sendAtOnce(request, login && { login, caller: 'nobody', isStranger: true })
    const says = `a refusal of ${operation.id} ${whose}: HTTP 401`
    if (!t.that(id, exchange, isRefusal(exchange), says) || exchange.status === 429) return
    if (isOneCodeForAll(t, exchange)) return // NOTE-43
    t.thatOrDeviates('CONTRACT-CODE', 'CONTRACT-CODE', exchange, exchange.body?.code === code, `\`${code}\` ${whose}`)
  }
  const wrong = 'INVALID_API_KEY'
  await refused('AUTH-2', 'UNAUTHORIZED', 'without credentials')
  await refused('AUTH-3', wrong, 'with a key that is nobody’s', { email, apiKey: 'a'.repeat(32) })
  if (other === undefined) t.remarks.add('the credentials have nobody else whose key could be tried')
  else await refused('AUTH-4', wrong, 'with somebody else’s key', { email, apiKey: other.login.apiKey })
  if (gone === undefined) t.remarks.add('nobody could be deactivated')
  else await refused('AUTH-19', 'USER_DEACTIVATED', 'with the key of a deactivated account', gone.login)
}

/** HTTP 401, or 429 after too many wrong credentials. */
function isRefusal({ status, body }: Exchange): boolean {
  return (status === 401 || status === 429) && body?.result === 'error'
}
