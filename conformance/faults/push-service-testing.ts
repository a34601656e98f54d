import { type Fault, PUSH_RELAY_OF_RUN, type SeededFault } from '../testing.ts'
import { ofSuccess } from './changes-testing.ts'

const path = '/mobile_push/e2ee/test_notification'
const run = { only: 'push/service', settings: PUSH_RELAY_OF_RUN } as const

/** Replaces the answer to a code. */
const instead =
  (code: string, change: { code?: string; status?: number }): Fault =>
  (answer) => {
    if (answer.body?.code !== code) return
    if (change.code !== undefined) answer.body.code = change.code
    if (change.status !== undefined) answer.status = change.status
  }

export const faults: readonly SeededFault[] = [
  {
    ...run,
    name: 'test notifications for all devices instead of one',
    violates: ['PUSHTEST-1'],
    fault: () => {},
    before: ({ url, form }) => {
      if (url.pathname.endsWith(path)) form.delete('device_id')
    },
  },
  {
    ...run,
    name: 'test notifications that go nowhere',
    violates: ['PUSHTEST-2'],
    fault: () => {},
    before: ({ url, form }) => {
      // The older kind tells nobody.
      if (url.pathname.endsWith(path) && !form.has('device_id')) url.pathname = '/api/v1/mobile_push/test_notification'
    },
  },
  {
    ...run,
    name: 'test notifications that say how many they were',
    violates: ['PUSHTEST-3'],
    fault: ofSuccess('POST', path, (body) => {
      body.sent = 1
    }),
  },
  {
    ...run,
    name: 'a push service that turns the server away as one that fails',
    violates: ['PUSHTEST-5'],
    fault: instead('ADMIN_ACTION_REQUIRED', { code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER' }),
  },
  {
    ...run,
    name: 'a push service that is away as one that fails',
    violates: ['PUSHTEST-6'],
    fault: instead('FAILED_TO_CONNECT_BOUNCER', { code: 'INTERNAL_SERVER_ERROR_ON_BOUNCER' }),
  },
  {
    ...run,
    name: 'a push service that fails as one that is away',
    violates: ['PUSHTEST-7'],
    fault: instead('INTERNAL_SERVER_ERROR_ON_BOUNCER', { code: 'FAILED_TO_CONNECT_BOUNCER' }),
  },
  {
    ...run,
    name: 'a push service that turns the server away with 400',
    violates: ['ERR-HTTP-3'],
    fault: instead('ADMIN_ACTION_REQUIRED', { status: 400 }),
  },
  {
    ...run,
    name: 'a push service that is away with 400',
    violates: ['ERR-HTTP-4'],
    fault: instead('FAILED_TO_CONNECT_BOUNCER', { status: 400 }),
  },
]
