import { validRequest } from '../acts/valid-request.ts'
import { type Account, personRoles, requestOf } from '../deployment/account.ts'
import { rank } from '../deployment/deployment.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { endsItsCaller } from '../kernel/ends-caller.ts'
import { newPerson, peopleOfRoles } from '../kernel/people-of-roles.ts'
import { type Contract, minimumRoleAt, type Operation, type Role } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'

/** CONTRACT-ROLE, and the requirements about bots. */
function rulesOf(operation: Operation): string[] {
  const { id, humansOnly } = operation
  const isAsked = humansOnly && !endsItsCaller(operation)
  const ofBots = [...(isAsked ? ['AUTH-22'] : []), ...(id === 'update-own-profile-data' ? ['PROFILE-7'] : [])]
  return ['CONTRACT-ROLE', ...ofBots]
}

/** For every operation of the contract, a valid request by each role and by a bot. */
export function checks({ operations }: Contract): Check[] {
  return [...operations.values()]
    .filter(({ hasEnvelope }) => hasEnvelope)
    .map((operation) => ({
      area: 'Roles',
      isCostly: true,
      asksEach: operation.id,
      id: `roles/${operation.id}`,
      title: `${operation.id} is for those whom the contract names, and for nobody else`,
      requirements: rulesOf(operation),
      async run(t) {
        t.mustDocument(operation)
        await (endsItsCaller(operation) ? endEach(t, operation) : askAll(t, operation))
      },
    }))
}

async function askAll(t: CheckContext, operation: Operation): Promise<void> {
  const { values } = await validRequest(t, operation)
  const people = await peopleOfRoles(t)
  for (const role of personRoles) {
    const person = people.get(role)
    if (person === undefined) t.remarks.add(`nobody has the role ${role}, and nobody can be given it`)
    else judge(t, operation, role, await person.send(requestOf(operation, values)))
  }
  const bot = t.deployment.given.find(({ isBot }) => isBot)
  if (bot === undefined) t.remarks.add('the credentials have no bot')
  else judgeBot(t, operation, bot, await bot.send(requestOf(operation, values)))
}

/** For the operation that deactivates its caller: every caller is new, so none is a bot, which cannot be created. */
async function endEach(t: CheckContext, operation: Operation): Promise<void> {
  for (const role of personRoles) {
    const person: Account | undefined = await newPerson(t, role)
    if (person === undefined) t.remarks.add(`nobody new can be given the role ${role}`)
    else judge(t, operation, role, await person.send(requestOf(operation, {})))
  }
}

function judge(t: CheckContext, operation: Operation, role: Role, exchange: Exchange): void {
  if (rank[role] < rank[minimumRoleAt(operation, t.level)]) isTooLow(t, operation, exchange)
  else isHighEnough(t, operation, role, exchange)
}

/** Operations for which the contract itself requires administrators (AUTH-6 to AUTH-10). */
const administrative = new Set(['update-user', 'update-realm-user-settings-defaults'])

function isTooLow(t: CheckContext, operation: Operation, exchange: Exchange): void {
  const { status, body } = exchange
  const minimumRole = minimumRoleAt(operation, t.level)
  const expected = `a refusal of ${operation.id}, which needs the role ${minimumRole}`
  // Only Parley documents the roles for the other operations.
  if (status < 400 && !t.isParley && !administrative.has(operation.id)) {
    t.deviates('CONTRACT-ROLE', exchange, expected)
    return
  }
  if (!t.that('CONTRACT-ROLE', exchange, status >= 400, expected)) return
  const [code, msg] =
    minimumRole === 'member'
      ? ['BAD_REQUEST', 'Not allowed for guest users']
      : ['UNAUTHORIZED_PRINCIPAL', `Must be an organization ${minimumRole}`]
  const isSo = body?.code === code && (body.msg === msg || !t.isParley)
  t.thatOrDeviates('NOTE-34', 'CONTRACT-ROLE', exchange, isSo, t.isParley ? `${code} and "${msg}"` : code)
}

function isHighEnough(t: CheckContext, { id }: Operation, role: Role, exchange: Exchange): void {
  const expected = `no refusal of ${id} because of the role ${role}`
  const isAdmitted = !isRefusalOfRole(exchange)
  if (isAdmitted || t.isParley) t.that('CONTRACT-ROLE', exchange, isAdmitted, expected)
  else t.deviates('CONTRACT-ROLE', exchange, expected)
}

function judgeBot(t: CheckContext, operation: Operation, { role }: Account, exchange: Exchange): void {
  const { id, humansOnly } = operation
  if (rank[role] < rank[minimumRoleAt(operation, t.level)]) {
    isTooLow(t, operation, exchange)
    return
  }
  const says = 'This endpoint does not accept bot requests.'
  const isBadRequest = exchange.status === 400 && exchange.body?.code === 'BAD_REQUEST'
  // Without this text nothing says why a bot is refused where people are not.
  const isRefused = isBadRequest && (exchange.body.msg === says || (humansOnly && !t.isParley))
  const expectation = humansOnly ? `BAD_REQUEST and "${says}"` : `no refusal of ${id} because of a bot`
  for (const rule of rulesOf(operation)) {
    t.thatOrDeviates('NOTE-35', rule, exchange, isRefused === humansOnly, expectation)
  }
}

function isRefusalOfRole({ body }: Exchange): boolean {
  const isOfRole = /^(Not allowed for guest users|Must be an organization (owner|administrator|moderator))$/
  return body?.code === 'UNAUTHORIZED_PRINCIPAL' || isOfRole.test(body?.msg)
}
