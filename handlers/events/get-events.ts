import { type QueueParameters, register } from '../../actions/register-queue.ts'
import { MissingParameterError } from '../../domain/errors.ts'
import type { Handler } from '../handler.ts'

/**
 * GET /events: what is new in a queue, now or when something happens (EVENTS-1 to EVENTS-15).
 * Without `queue_id` but with any parameter of POST /register, a queue is made and read at once (NOTE-1).
 */
export const getEvents: Handler<'get-events'> = async ({ input, actor, ...services }) => {
  const { queue_id: queueId, last_event_id: lastEventId, dont_block: dontBlock, ...parameters } = input
  if (queueId !== undefined) return services.queues.poll(actor, queueId, lastEventId, !dontBlock)
  if (!Object.values(parameters).some((value) => value !== undefined)) throw new MissingParameterError('queue_id')
  const queueParameters: QueueParameters = { ...parameters, fetch_event_types: [] }
  const { queue_id: newQueueId } = await register(services, actor, queueParameters)
  // A new queue has no events yet; a client that may block asks again with the id, which it does not know otherwise.
  return { events: [], queue_id: newQueueId }
}
