import { register } from '../../actions/register-queue.ts'
import type { Handler } from '../handler.ts'

/** POST /register. */
export const registerQueue: Handler<'register-queue'> = ({ input, actor, ...services }) =>
  register(services, actor, input)
