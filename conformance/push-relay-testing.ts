import { PushRelay } from './deployment/push-relay.ts'

/** A push service that accepts everything and delivers nothing, so that every operation of a deployment can succeed. */
export function startPushRelay(): Promise<PushRelay> {
  return PushRelay.listen()
}
