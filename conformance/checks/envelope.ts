import { besides, validRequest } from '../acts/valid-request.ts'
import { requestOf, requestOfPairs, type Values } from '../deployment/account.ts'
import { mayUnsettle, settle } from '../deployment/scene.ts'
import { anyChanges, type Change, changedPairs, surestChanges } from '../inputs/nasty-values.ts'
import { beyondBounds, kindsOf, ofWrongType, unlistedValue } from '../inputs/wrong-values.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { endsItsCaller } from '../kernel/ends-caller.ts'
import { followsEnvelope, isSuccess, refusalRules, successRules } from '../kernel/envelope.ts'
import { isFormerCode } from '../kernel/former-codes.ts'
import { type Contract, holds, type Operation, type Parameter, parameterAt } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused } from '../wire/values.ts'

const area = 'Envelope'
const base = { area } as const

/** For every operation of the contract with an envelope: the answers to valid and invalid parameters. */
export function checks({ operations }: Contract): Check[] {
  return [...operations.values()]
    .filter(({ hasEnvelope }) => hasEnvelope)
    .flatMap((operation) => {
      const each = [
        ignores(operation),
        ...missing(operation),
        ...wrongType(operation),
        ...unlisted(operation),
        ...outOfRange(operation),
        hostile(operation),
      ].map((check) => ({ ...check, asksEach: operation.id }))
      return [succeeds(operation), ...each].map((check) => ({
        ...check,
        run: (t: CheckContext) => ofDocumented(t, operation, check),
      }))
    })
}

/** Other servers are not held to operations that they do not document. */
async function ofDocumented(t: CheckContext, operation: Operation, check: Check): Promise<void> {
  t.mustDocument(operation)
  // Such operations send a whole list, to which somebody else may add meanwhile.
  const isOfSharedList = operation.id.startsWith('reorder-')
  await (isOfSharedList ? t.unlessDisturbed(() => check.run(t)) : check.run(t))
}

function succeeds(operation: Operation): Check {
  return {
    ...base,
    id: `envelope/success/${operation.id}`,
    title: `${operation.id} answers a right request as the contract says`,
    requirements: [...successRules, 'CONTRACT-SUCCESS', 'ENV-12'],
    async run(t) {
      const { as, values } = await validRequest(t, operation)
      const exchange = await as.send(requestOf(operation, values))
      if (!isSuccess(t, exchange)) return
      followsEnvelope(t, operation, exchange)
      const silent = !('ignored_parameters_unsupported' in (exchange.body ?? {}))
      t.that('ENV-12', exchange, silent, 'no `ignored_parameters_unsupported`, because all parameters are known')
    },
  }
}

function ignores(operation: Operation): Check {
  return {
    ...base,
    id: `envelope/ignored/${operation.id}`,
    title: `${operation.id} lists the parameters that it does not know`,
    requirements: [...successRules, 'CONTRACT-SUCCESS', 'ENV-11'],
    async run(t) {
      const { as, values } = await validRequest(t, operation)
      const unknown = { conformance_first: 'x', conformance_second: '[1]' }
      const request = requestOf(operation, { ...values, ...unknown })
      // Other servers may ignore the query string, except in GET requests.
      const inQuery = t.isParley ? ['conformance_third'] : []
      const path = [request.path, ...inQuery.map((name) => `${name}=x`)].join(request.path.includes('?') ? '&' : '?')
      const exchange = await as.send({ ...request, path })
      if (!isSuccess(t, exchange)) return
      followsEnvelope(t, operation, exchange)
      const listed = exchange.body?.ignored_parameters_unsupported
      const names = [...Object.keys(unknown), ...inQuery]
      const isExact = Array.isArray(listed) && listed.toSorted().join() === names.join()
      const expected = `\`ignored_parameters_unsupported\` has ${names.join(' and ')}, and nothing else`
      t.thatOrDeviates('NOTE-39', 'ENV-11', exchange, isExact, expected, listed === undefined)
    },
  }
}

/** Without path parameters: a missing or wrong one would make another path. */
function sent({ parameters }: Operation): Parameter[] {
  return parameters.filter(({ in: place, aliasOf }) => (place === 'query' || place === 'form') && aliasOf === undefined)
}

/** A kind of invalid parameter, and the refusal that it must cause. */
interface Refusing {
  readonly kind: string
  readonly says: string
  readonly rules: readonly string[]
  readonly parameters: readonly Parameter[]
  /** Whether only Parley documents the refusal. */
  readonly isOurs?: true
  /** The values of each request that this parameter makes invalid. */
  wrong(parameter: Parameter, right: Values): readonly Values[]
  holds(t: CheckContext, exchange: Exchange, parameter: Parameter): void
}

function refusing(operation: Operation, { kind, says, rules, parameters, isOurs, wrong, holds }: Refusing): Check[] {
  if (parameters.length === 0) return []
  return [
    {
      ...base,
      id: `envelope/${kind}/${operation.id}`,
      title: `${operation.id} ${says}`,
      requirements: [...refusalRules, ...rules],
      async run(t) {
        if (isOurs && !t.isParley) t.leaveOut('only Parley documents these bounds')
        const { as, values } = await validRequest(t, operation)
        for (const parameter of atLevel(parameters, t)) {
          for (const wrongValues of wrong(parameter, values)) {
            const exchange = await as.send(requestOf(operation, wrongValues))
            // A success is not a malformed refusal, and is reported separately.
            if (exchange.status !== 200 && exchange.body?.result !== 'success') followsEnvelope(t, operation, exchange)
            holds(t, exchange, parameter)
          }
        }
      },
    },
  ]
}

function missing(operation: Operation): Check[] {
  return refusing(operation, {
    kind: 'missing',
    says: 'says which required parameter is missing',
    rules: ['ENV-18'],
    parameters: sent(operation).filter((parameter) => parameter.required),
    wrong: ({ name }, right) => [{ ...right, [name]: undefined, conformance_extra: '1' }],
    holds(t, exchange, { name }) {
      const { status, body } = exchange
      const isNamed = body?.code === 'REQUEST_VARIABLE_MISSING' && body.var_name === name && status === 400
      t.that('ENV-18', exchange, isNamed, `HTTP 400, REQUEST_VARIABLE_MISSING and \`var_name\` "${name}"`)
      t.refusedWith('ENV-18', exchange, `Missing '${name}' argument`)
    },
  })
}

function wrongType(operation: Operation): Check[] {
  const parameters = sent(operation).filter((parameter) => ofWrongType(parameter).length > 0)
  const lists = parameters.filter(({ isJson, schema }) => isJson && isOnly(schema, 'array'))
  const objects = parameters.filter(({ isJson, schema }) => isJson && !isOnly(schema, 'array'))
  return refusing(operation, {
    kind: 'wrong-type',
    says: 'names the parameter whose value has the wrong type',
    rules: ['ENV-19', ...(lists.length > 0 ? ['ENV-3'] : []), ...(objects.length > 0 ? ['ENV-4'] : [])],
    parameters,
    wrong: (parameter, right) =>
      ofWrongType(parameter).map((value) => ({ ...besides(operation, parameter, right), [parameter.name]: value })),
    holds(t, exchange, parameter) {
      if (lists.includes(parameter)) refusesValue(t, 'ENV-3', exchange, parameter)
      if (objects.includes(parameter)) refusesValue(t, 'ENV-4', exchange, parameter)
      namesParameter(t, 'ENV-19', exchange, parameter)
    },
  })
}

function unlisted(operation: Operation): Check[] {
  return refusing(operation, {
    kind: 'unlisted',
    says: 'refuses values that the contract does not list',
    rules: ['ENV-20'],
    parameters: sent(operation).filter((parameter) => unlistedValue(parameter) !== undefined),
    wrong(parameter, right) {
      const value = unlistedValue(parameter)
      return value === undefined ? [] : [{ ...besides(operation, parameter, right), [parameter.name]: value }]
    },
    holds(t, exchange, { name }) {
      t.that('ENV-20', exchange, isBadRequest(t, exchange), 'HTTP 400 and BAD_REQUEST')
      t.refusedWith('ENV-20', exchange, `Invalid ${name}`)
    },
  })
}

function outOfRange(operation: Operation): Check[] {
  return refusing(operation, {
    kind: 'range',
    says: 'refuses values beyond their bounds',
    rules: ['CONTRACT-RANGE'],
    parameters: sent(operation).filter((parameter) => beyondBounds(parameter).length > 0),
    isOurs: true,
    wrong: (parameter, right) => beyondBounds(parameter).map((value) => ({ ...right, [parameter.name]: value })),
    holds: (t, exchange, parameter) => namesParameter(t, 'CONTRACT-RANGE', exchange, parameter),
  })
}

/**
 * The answer to any values has the envelope, and the server does not fail. The sender is a member, so that no data of
 * others can change.
 */
function hostile(operation: Operation): Check {
  return {
    ...base,
    id: `envelope/hostile/${operation.id}`,
    title: `${operation.id} keeps the envelope whatever is sent`,
    requirements: ['ENV-6', 'ENV-7', 'ENV-8', 'CONTRACT-ANSWER', 'CONTRACT-FAILURE'],
    also: ['ENV-9', 'ENV-10', 'ENV-13', 'ENV-15'],
    isCostly: true,
    async run(t) {
      if (endsItsCaller(operation)) t.leaveOut('a success would end the account or the key of the sender')
      const { values } = await validRequest(t, operation)
      const { user } = await t.scene()
      const send = async (changes: readonly Change[]): Promise<void> =>
        followsEnvelope(t, operation, await user.send(requestOfPairs(operation, changedPairs(values, changes))))
      await t.property(anyChanges(operation), send, surestChanges(operation))
      if (mayUnsettle(operation)) await settle(user)
    },
  }
}

/** The parameters at the server's level, with its values. */
function atLevel(parameters: readonly Parameter[], t: CheckContext): Parameter[] {
  return parameters
    .filter(({ levels, parleyOnly }) => holds(levels, t.level) && (t.isParley || !parleyOnly))
    .map((parameter) => parameterAt(parameter, t.level))
}

function isOnly(schema: Parameter['schema'], kind: string): boolean {
  const kinds = new Set(kindsOf(schema))
  return kinds.size === 1 && kinds.has(kind)
}

function refusesValue(t: CheckContext, id: string, exchange: Exchange, { name }: Parameter): void {
  t.that(id, exchange, isRefused(exchange), `a refusal, because of \`${name}\``)
}

function namesParameter(t: CheckContext, id: string, exchange: Exchange, { name }: Parameter): void {
  t.that(id, exchange, isBadRequest(t, exchange), 'HTTP 400 and BAD_REQUEST')
  if (!t.isParley) return // other servers have texts of their own
  t.that(id, exchange, String(exchange.body?.msg).includes(name), `a message that names \`${name}\``)
}

/** Older servers use another code for unreadable values. */
function isBadRequest(t: CheckContext, { status, body }: Exchange): boolean {
  return status === 400 && (body?.code === 'BAD_REQUEST' || isFormerCode(t, body?.code))
}
