import { PushRelay } from './deployment/push-relay.ts'

/** A push service that takes everything and brings it nowhere: with it every operation of a deployment can succeed. */
export function startPushRelay(): Promise<PushRelay> {
  return PushRelay.listen()
}
