import { validRequest } from '../acts/valid-request.ts'
import { LeftOutError, requestOf } from '../deployment/account.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { isOneCodeForAll } from '../kernel/former-codes.ts'
import { deactivatedUser } from '../provocations/generic.ts'
import type { Contract, Operation } from '../wire/contract.ts'
import type { Exchange, Login } from '../wire/http.ts'

/** For every operation with credentials, a right request with wrong credentials. */
export function checks({ operations }: Contract): Check[] {
  return [...operations.values()]
    .filter(({ minimumRole }) => minimumRole !== 'anonymous')
    .map((operation) => ({
      area: 'Authentication',
      profile: 'core',
      asksEach: true,
      id: `impostors/${operation.id}`,
      title: `${operation.id} is refused without the caller’s own key`,
      requirements: ['AUTH-2', 'AUTH-3', 'AUTH-4'],
      also: ['AUTH-19', 'CONTRACT-CODE'],
      operations: [operation.id],
      run: (t) => refusesImpostors(t, operation),
    }))
}

async function refusesImpostors(t: CheckContext, operation: Operation): Promise<void> {
  const right = await validRequest(t, operation).catch((err: unknown) => {
    if (!(err instanceof LeftOutError)) throw err
  })
  // Where nobody can send a right request, a wrong one is refused for its key first.
  const { as, values } = right ?? { as: (await t.scene()).user, values: {} }
  const { people } = await t.scene()
  const other = people.find((person) => person.userId !== as.userId) ?? (await t.userIfAny())
  const gone = await deactivatedUser(t)
  const { email } = as.login
  const request = requestOf(operation, values)
  const refused = async (id: string, code: string, whose: string, login?: Login): Promise<void> => {
    // Requests with wrong keys may be slowed down; no other check waits for that.
    const exchange = await t.deployment.sendAtOnce(request, login && { login, caller: 'nobody', isStranger: true })
    const says = `a refusal of ${operation.id} ${whose}: HTTP 401`
    if (!t.that(id, exchange, isRefusal(exchange), says) || exchange.status === 429) return
    if (isOneCodeForAll(t, exchange)) return // NOTE-43
    t.thatOrDeviates('CONTRACT-CODE', 'CONTRACT-CODE', exchange, exchange.body?.code === code, `\`${code}\` ${whose}`)
  }
  const wrong = 'INVALID_API_KEY'
  await refused('AUTH-2', 'UNAUTHORIZED', 'without credentials')
  await refused('AUTH-3', wrong, 'with a key that is nobody’s', { email, apiKey: 'a'.repeat(32) })
  if (other === undefined) t.remarks.add('the credentials have nobody else, whose key could be tried')
  else await refused('AUTH-4', wrong, 'with somebody else’s key', { email, apiKey: other.login.apiKey })
  if (gone === undefined) t.remarks.add('nobody could be deactivated')
  else await refused('AUTH-19', 'USER_DEACTIVATED', 'with the key of a deactivated account', gone.login)
}

/** HTTP 401, or 429 after too many of these. */
function isRefusal({ status, body }: Exchange): boolean {
  return (status === 401 || status === 429) && body?.result === 'error'
}
