import { type Fault, PUSH_RELAY_OF_RUN, type SeededFault } from '../testing.ts'
import { ofSuccess } from './changes-testing.ts'

const path = '/mobile_push/e2ee/test_notification'

/** Replaces the answer to a code. */
const instead =
  (code: string, change: { code?: string; status?: number }): Fault =>
  (answer) => {
    if (answer.body?.code !== code) return
    if (change.code !== undefined) answer.body.code = change.code
    if (change.status !== undefined) answer.status = change.status
  }

/** A fault of a server whose push service is the run. */
function of(
  name: string,
  violates: string,
  { fault = () => {}, before }: Partial<Pick<SeededFault, 'fault' | 'before'>>,
): SeededFault {
  const settings = PUSH_RELAY_OF_RUN
  return { name, only: 'push/service', violates: [violates], settings, fault, ...(before && { before }) }
}

export const faults: readonly SeededFault[] = [
  of('test notifications for all devices instead of one', 'PUSHTEST-1', {
    before({ url, form }) {
      if (url.pathname.endsWith(path)) form.delete('device_id')
    },
  }),
  of('test notifications that go nowhere', 'PUSHTEST-2', {
    before({ url, form }) {
      // The older kind of notification reaches nobody.
      if (url.pathname.endsWith(path) && !form.has('device_id')) url.pathname = '/api/v1/mobile_push/test_notification'
    },
  }),
  of('test notifications that say how many they were', 'PUSHTEST-3', {
    fault: ofSuccess('POST', path, (body) => {
      body.sent = 1
    }),
  }),
  of('a push service that turns the server away as one that fails', 'PUSHTEST-5', {
    fault: instead('ADMIN_ACTION_REQUIRED', { code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER' }),
  }),
  of('a push service that is away as one that fails', 'PUSHTEST-6', {
    fault: instead('FAILED_TO_CONNECT_BOUNCER', { code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER' }),
  }),
  of('a push service that fails as one that is away', 'PUSHTEST-7', {
    fault: instead('INTERNAL_SERVER_ERROR_ON_BOUNCER', { code: 'FAILED_TO_CONNECT_BOUNCER' }),
  }),
  of('a push service that turns the server away with 400', 'ERR-HTTP-3', {
    fault: instead('ADMIN_ACTION_REQUIRED', { status: 400 }),
  }),
  of('a push service that is away with 400', 'ERR-HTTP-4', {
    fault: instead('FAILED_TO_CONNECT_BOUNCER', { status: 400 }),
  }),
]
