import { validRequest } from '../acts/valid-request.ts'
import { type Account, requestOf, type Values } from '../deployment/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { type ErrorAnswer, minimumRoleAt, type Operation, type Parameter } from '../wire/contract.ts'
import { choice, idOfNothing, type Provocation, type Send } from './provocation.ts'

/** More than any form needs; a server that accepts it is only more patient. */
const hugeBytes = 1_100_000

/** Provokes this refusal in any operation that lists it; undefined if that depends on the operation. */
export function genericProvocation(operation: Operation, { status, code }: ErrorAnswer): Provocation | undefined {
  switch (`${status} ${code}`) {
    case '400 REQUEST_CONFUSING_VAR':
      return withBothNames(operation)
    case '400 BAD_REQUEST':
      return namesOnlyNumbers(operation) && !operation.findsNothing
        ? { send: sendIdsOfNothing }
        : choice(sendUnreadable)
    case '413 BAD_REQUEST':
      return choice(sendBody(formType, `conformance=${'x'.repeat(hugeBytes)}`))
    case '415 BAD_REQUEST':
      return choice(sendBody('application/json', '{"conformance":true}'))
    case '404 BAD_REQUEST':
      if (operation.findsNothing && numbersInPath(operation).length > 0) return { send: sendOfNothing }
      return wordForNumber(operation)
    case '405 BAD_REQUEST':
      return wordForNumber(operation)
    default:
      return undefined
  }
}

const formType = 'application/x-www-form-urlencoded'

const gone = new WeakMap<Deployment, Promise<Account | undefined>>()

/** A user whom an administrator has deactivated, the same one for the whole run; undefined if that is not possible. */
export function deactivatedUser({ deployment }: CheckContext): Promise<Account | undefined> {
  const made = gone.get(deployment) ?? makeDeactivated(deployment)
  gone.set(deployment, made)
  return made
}

async function makeDeactivated(deployment: Deployment): Promise<Account | undefined> {
  const admin = deployment.atLeast('administrator')
  const made = admin && (await deployment.newUser())
  const answer = made && (await admin.call('deactivate-user', { user_id_or_email: made.userId }))
  return answer?.status === 200 ? made : undefined
}

function withBothNames({ parameters }: Operation): Provocation | undefined {
  const alias = parameters.find(({ aliasOf }) => aliasOf !== undefined)
  if (alias?.aliasOf === undefined) return undefined
  const { name, aliasOf } = alias
  return { send: (t, operation) => sendChanged(t, operation, (values) => ({ [name]: values[aliasOf] })) }
}

async function sendChanged(t: CheckContext, operation: Operation, changes: (values: Values) => Values) {
  const { as, values } = await validRequest(t, operation)
  return as.send(requestOf(operation, { ...values, ...changes(values) }))
}

/** Whether an operation's subject is named only by numbers in its path. */
function namesOnlyNumbers({ parameters }: Operation): boolean {
  const required = parameters.filter((parameter) => parameter.required)
  return required.length > 0 && required.every(({ in: place, schema }) => place === 'path' && schema.type === 'integer')
}

function numbersInPath({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter(({ in: place, schema }) => place === 'path' && schema.type === 'integer')
}

/** A word that no path matches; without numbers in the path every word matches. */
function wordForNumber(operation: Operation): Provocation | undefined {
  return numbersInPath(operation).length > 0 ? choice(sendWordForNumber) : undefined
}

const sendWordForNumber: Send = async (t, operation) => {
  const words = numbersInPath(operation).map(({ name }) => [name, 'conformance'])
  return (await whoMay(t, operation)).send(requestOf(operation, Object.fromEntries(words)))
}

const sendIdsOfNothing: Send = async (t, operation) =>
  (await whoMay(t, operation)).send(requestOf(operation, idsOfNothing(operation)))

/** A valid request, except that its subject does not exist. */
const sendOfNothing: Send = (t, operation) => sendChanged(t, operation, () => idsOfNothing(operation))

function idsOfNothing(operation: Operation): Values {
  return Object.fromEntries(numbersInPath(operation).map(({ name }) => [name, idOfNothing]))
}

/** A query that is not UTF-8. */
const sendUnreadable: Send = async (t, operation) => {
  const request = requestOf(operation, {})
  const path = `${request.path}${request.path.includes('?') ? '&' : '?'}conformance=%ff`
  return (await whoMay(t, operation)).send({ ...request, path })
}

/** So that the organization keeps its logo on a server that accepts the body. */
const wrongValues: Readonly<Record<string, Values>> = { 'remove-realm-logo': { night: 'conformance' } }

function sendBody(type: string, body: string): Send {
  return async (t, operation) => {
    const request = requestOf(operation, wrongValues[operation.id] ?? {})
    return (await whoMay(t, operation)).send({ ...request, raw: { type, body } })
  }
}

/** A user whose role is sufficient. */
async function whoMay(t: CheckContext, operation: Operation): Promise<Account> {
  const minimumRole = minimumRoleAt(operation, t.level)
  if (minimumRole === 'administrator' || minimumRole === 'owner') return t.person(minimumRole)
  return (await t.scene()).user
}

/** Whether the code exists at the server's feature level. */
export function codeExists(code: string, level: number): boolean {
  return level >= 379 || code !== 'EXPECTATION_MISMATCH'
}
