import type { Handler } from '../handler.ts'

/** DELETE /events: frees a queue; a poll parked on it is answered with no events. */
export const deleteQueue: Handler<'delete-queue'> = async ({ input, actor, write, queues }) => {
  await queues.remove({ viewer: actor, write }, input.queue_id)
  return {}
}
