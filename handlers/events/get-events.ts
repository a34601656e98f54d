import { type QueueParameters, register } from '../../actions/register-queue.ts'
import { MissingParameterError } from '../../domain/errors.ts'
import type { Handler } from '../handler.ts'

/**
 * GET /events: new events of a queue, now or when there are any (EVENTS-1 to EVENTS-15). Without `queue_id` but with a
 * parameter of POST /register, a queue is created and read at once (NOTE-1).
 */
export const getEvents: Handler<'get-events'> = async ({ input, actor, ...services }) => {
  const { queue_id: queueId, last_event_id: lastEventId, dont_block: dontBlock, ...parameters } = input
  if (queueId !== undefined) return services.queues.poll(actor, queueId, lastEventId, !dontBlock)
  if (!Object.values(parameters).some((value) => value !== undefined)) throw new MissingParameterError('queue_id')
  const queueParameters: QueueParameters = { ...parameters, fetch_event_types: [] }
  const { queue_id: newQueueId } = await register(services, actor, queueParameters)
  // A new queue has no events yet; a client that may block asks again with the ID, which it does not know otherwise.
  return { events: [], queue_id: newQueueId }
}
