import type { Handler } from '../handler.ts'

/** DELETE /events: deletes a queue; a poll parked on it is answered without events. */
export const deleteQueue: Handler<'delete-queue'> = async ({ input, actor, write, queues }) => {
  await queues.remove({ userId: actor.id, write }, input.queue_id)
  return {}
}
