import { LeftOutError, operationNamed } from '../deployment/account.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { isOneCodeForAll } from '../kernel/former-codes.ts'
import { provocationOf } from '../provocations/all.ts'
import { elsewhereOf } from '../provocations/elsewhere.ts'
import { codeExists } from '../provocations/generic.ts'
import type { Provocation } from '../provocations/provocation.ts'
import { whyUnprovokable } from '../provocations/unprovokable.ts'
import type { Contract, ErrorAnswer, Operation } from '../wire/contract.ts'
import { type Exchange, UnreachableError } from '../wire/http.ts'

/** For every operation of the contract: the server sends each refusal that the contract names. */
export function checks({ operations }: Contract): Check[] {
  return [...operations.values()]
    .filter((operation) => provokable(operation).length > 0)
    .map((operation) => ({
      area: 'Error codes',
      isCostly: true,
      asksEach: operation.id,
      id: `errors/${operation.id}`,
      title: `${operation.id} refuses with each code that the contract lists`,
      requirements: ['CONTRACT-CODE'],
      async run(t) {
        t.mustDocument(operation)
        const theirs = operationNamed(t.deployment.contract, operation.id)
        for (const answer of provokable(operation)) {
          if (codeExists(answer.code, t.level)) await provoke(t, theirs, answer)
        }
      },
    }))
}

function provokable(operation: Operation): ErrorAnswer[] {
  return operation.errors.filter(
    (answer) => whyUnprovokable(operation, answer) === undefined && elsewhereOf(operation, answer) === undefined,
  )
}

/** Refusals that another check has already seen are not provoked again. */
async function provoke(t: CheckContext, operation: Operation, answer: ErrorAnswer): Promise<void> {
  const name = `${answer.status} ${answer.code}`
  const seen = t.deployment.refusals.first(operation, answer)
  const provocation = provocationOf(operation, answer)
  if (seen !== undefined || provocation === undefined) {
    if (seen !== undefined) t.that('CONTRACT-CODE', seen, true, name)
    return
  }
  try {
    judge(t, name, answer, provocation, await provocation.send(t, operation))
  } catch (err) {
    const isOwnAffair = err instanceof UnreachableError && provocation.isChoice === true
    if (!(err instanceof LeftOutError) && !isOwnAffair) throw err
    t.remarks.add(`${name}: ${err.message}`)
  }
}

function judge(
  t: CheckContext,
  name: string,
  { status, code }: ErrorAnswer,
  { isForbidden = false, isChoice = false }: Provocation,
  exchange: Exchange,
): void {
  if (status === 401 && isOneCodeForAll(t, exchange)) {
    t.remarks.add(`${name}: this server answers every 401 with UNAUTHORIZED (NOTE-43, see the area Authentication)`)
    return
  }
  const isAnswered = exchange.status === status && exchange.body?.code === code
  const isRefused = exchange.status >= 400
  const isDemanded = t.isParley ? !isChoice : isForbidden && !isRefused
  if (isAnswered || isDemanded) t.that('CONTRACT-CODE', exchange, isAnswered, `a refusal: ${name}`)
  else if (isChoice) t.remarks.add(`${name}: this server answers otherwise`)
  else t.deviates('CONTRACT-CODE', exchange, `a refusal: ${name}`)
}
