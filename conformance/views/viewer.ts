import type { Account, Values } from '../deployment/account.ts'
import type { Event } from '../deployment/event-queue.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import type { World } from '../laws/world.ts'
import type { Exchange } from '../wire/http.ts'

/** Somebody who looks at everything there is to see of a world in which nothing happens meanwhile. */
export interface Viewer {
  readonly t: CheckContext
  readonly world: World
  readonly person: Account
  /** What the person's client said of itself at registration. */
  readonly client: Values
  /** What the person's event queue has told so far. */
  readonly events: readonly Event[]
  /** Answer of POST /register now. */
  readonly registered: Exchange
  /** Channels that the person followed at some time, now or before. */
  readonly everFollowed: ReadonlySet<number>
}

/** What an operation answers; undefined where the server has no such operation. */
export async function ask(
  { t, person }: Viewer,
  operationId: string,
  values: Values = {},
): Promise<Exchange | undefined> {
  const operation = t.deployment.contract.operations.get(operationId)
  if (operation === undefined) throw new Error(`the contract has no operation ${operationId}`)
  if (t.deployment.notAsked(operation) !== undefined) return undefined
  return person.must(operationId, person.known(operationId, values))
}

/** Whether the person is told of everybody and of every channel that is open to members. */
export function seesEverybody({ person }: Viewer): boolean {
  return person.role !== 'guest'
}
