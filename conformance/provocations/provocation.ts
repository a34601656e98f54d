import { requestOf, type Values } from '../deployment/account.ts'
import type { Scene } from '../deployment/scene.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import type { Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'

/** A request that is refused, and how certainly. */
export interface Provocation {
  send(t: CheckContext, operation: Operation): Promise<Exchange>
  /** Nobody may ever be allowed this: success is always a failure of the server. */
  readonly isForbidden?: boolean
  /** Each server may decide this for itself: another answer is neither failure nor deviation. */
  readonly isChoice?: boolean
}

export type Send = Provocation['send']

/** An id that does not exist. */
export const idOfNothing = 2_147_483_646
/** Larger than any id on any server; only Parley's contract defines the answer to an impossible id. */
export const idBeyondAll = 99_999_999_999

/** By operation and `status code`. */
export type OwnProvocations = Readonly<Record<string, Readonly<Record<string, Provocation>>>>

export function callAsUser(values: Values | ((t: CheckContext, scene: Scene) => Values | Promise<Values>)): Send {
  return async (t, operation) => {
    const scene = await t.scene()
    const own = typeof values === 'function' ? await values(t, scene) : values
    return scene.user.send(requestOf(operation, own))
  }
}

/** A refusal that every server must give everybody. */
export function forbidden(send: Send): Provocation {
  return { isForbidden: true, send }
}

/** A refusal that each server decides for itself. */
export function choice(send: Send): Provocation {
  return { isChoice: true, send }
}
