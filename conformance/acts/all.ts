import type { ActionKind } from '../laws/action-kind.ts'
import * as nouns from './nouns.ts'
import type { Requests } from './right-request.ts'

interface Acts {
  readonly requests?: Requests
  readonly actions?: readonly ActionKind[]
}

const files: readonly Acts[] = Object.values(nouns)

/** A request that succeeds, for each operation that needs one. */
export const rightRequests: Requests = Object.assign({}, ...files.map(({ requests }) => requests))

/** Everything that people do in the laws. */
export const actionKinds = files.flatMap(({ actions = [] }) => actions)
