import type { Values } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { minimumRoleAt, type Operation, type Parameter } from '../wire/contract.ts'
import { rightRequests } from './all.ts'
import type { ValidRequest } from './right-request.ts'

/** @throws {LeftOutError}, through `t`, if the suite has no valid request for the operation */
export async function validRequest(t: CheckContext, operation: Operation): Promise<ValidRequest> {
  const scene = await t.scene()
  const maker = rightRequests[operation.id]
  const isHarmless = operation.method === 'GET' || operation.method === 'POST'
  if (maker === undefined && (!isHarmless || operation.parameters.some(({ required }) => required))) {
    t.leaveOut(`the suite does not know yet how ${operation.id} succeeds (conformance/acts)`)
  }
  const made = (await maker?.(scene, t)) ?? {}
  if (isRequest(made)) return { ...made, values: made.as.known(operation.id, made.values) }
  const minimumRole = minimumRoleAt(operation, t.level)
  const needsAdmin = minimumRole === 'administrator' || minimumRole === 'owner'
  const as = needsAdmin ? t.person(minimumRole === 'owner' ? 'owner' : 'administrator') : scene.user
  return { as, values: as.known(operation.id, made) }
}

/** Parameters of GET /events that work with `queue_id`; all others create an event queue if none is named. */
const ofPolling = new Set(['queue_id', 'last_event_id', 'dont_block'])

/** Values of a valid request with which `parameter` has an effect. */
export function besides({ id }: Operation, { name }: Parameter, values: Values): Values {
  if (id !== 'get-events' || ofPolling.has(name)) return values
  const { queue_id: _, last_event_id: __, ...others } = values
  return others
}

function isRequest(made: Values | ValidRequest): made is ValidRequest {
  return 'as' in made && 'values' in made
}
