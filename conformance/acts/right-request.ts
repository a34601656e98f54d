import type { Account, Values } from '../deployment/account.ts'
import type { Scene } from '../deployment/scene.ts'
import type { CheckContext } from '../kernel/check-context.ts'

/** A request that succeeds, and who sends it. */
export interface ValidRequest {
  readonly as: Account
  readonly values: Values
  /** The whole answer, for an operation whose answer is not JSON and is known beforehand. */
  readonly answer?: string
}

/** Parameters with which an operation succeeds, once; a second time may be refused. */
type Maker = (scene: Scene, t: CheckContext) => Values | ValidRequest | Promise<Values | ValidRequest>

/**
 * By operation. One that needs nothing and harms nothing has no entry; `npm run generate` names what lacks one. Whoever sends is the
 * scene's user, or an administrator where only that succeeds.
 */
export type Requests = Readonly<Record<string, Maker>>
