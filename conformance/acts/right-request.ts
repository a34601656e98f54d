import type { Account, Values } from '../deployment/account.ts'
import type { Scene } from '../deployment/scene.ts'
import type { CheckContext } from '../kernel/check-context.ts'

/** A request that succeeds, and its sender. */
export interface ValidRequest {
  readonly as: Account
  readonly values: Values
  /** The whole answer, if it is not JSON and known beforehand. */
  readonly answer?: string
}

/** A request that only administrators may send where the contract allows others, too. */
export function ofAdministrator(t: CheckContext, values: Values): ValidRequest {
  return { as: t.person('administrator'), values }
}

/** Makes texts that nothing else on the server has. */
export type Naming = Pick<CheckContext, 'unique'>

/** Makes parameters with which an operation succeeds once; a second time it may be refused. */
type Maker = (scene: Scene, t: CheckContext) => Values | ValidRequest | Promise<Values | ValidRequest>

/**
 * By operation. An operation that needs nothing and harms nothing has no entry. The sender is the scene's user, or an
 * administrator if only administrators succeed.
 */
export type Requests = Readonly<Record<string, Maker>>
