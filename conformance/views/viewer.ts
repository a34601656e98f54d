import { type Account, operationNamed, type Values } from '../deployment/account.ts'
import type { Event } from '../deployment/event-queue.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import type { World } from '../laws/world.ts'
import type { Exchange } from '../wire/http.ts'

/** Somebody who looks at everything visible in a world in which nothing happens meanwhile. */
export interface Viewer {
  readonly t: CheckContext
  readonly world: World
  readonly person: Account
  /** The client capabilities that the person registered with. */
  readonly client: Values
  /** The events from the person's queue so far. */
  readonly events: readonly Event[]
  /** Answer of POST /register now. */
  readonly registered: Exchange
  /** Channels to which the person has ever been subscribed. */
  readonly everFollowed: ReadonlySet<number>
}

/** The answer of an operation; undefined if the server has no such operation. */
export async function ask({ t, person }: Viewer, operationId: string, values: Values = {}) {
  if (t.deployment.notAsked(operationNamed(t.deployment.contract, operationId)) !== undefined) return undefined
  return person.must(operationId, person.known(operationId, values))
}

/** Whether the person sees everybody, and every channel that is open to members. */
export function seesEverybody({ person }: Viewer): boolean {
  return person.role !== 'guest'
}
