import type { ErrorAnswer, Operation } from '../wire/contract.ts'

/** Refusals that no client can provoke, or none should. The list may only shrink. */
export interface Unprovokable {
  readonly code: string
  /** Absent if the code has only one. */
  readonly status?: number
  /** Operation ids; absent for all operations that list the code. */
  readonly operations?: readonly string[]
  readonly reason: string
  /** Parley's own test that provokes it: file, and beginning of the test's name. */
  readonly test: readonly [file: string, name: string]
  /** The check that meets it anyway, if the deployment has what that needs. */
  readonly check?: string
}

export const unprovokable: readonly Unprovokable[] = [
  {
    code: 'INTERNAL_SERVER_ERROR',
    reason: 'It takes a server that fails, and nothing that a client sends may make one fail.',
    test: ['server/refusals.test.ts', 'every operation answers INTERNAL_SERVER_ERROR'],
  },
  {
    code: 'RATE_LIMIT_HIT',
    reason: 'The suite keeps below the limits of a server, so that nobody else is shut out.',
    test: ['server/refusals.test.ts', 'every operation answers RATE_LIMIT_HIT'],
  },
  {
    code: 'REALM_DEACTIVATED',
    reason: 'Deactivating the organization would end the server for everybody.',
    test: ['handlers/organization/deactivate-realm.test.ts', 'every operation answers REALM_DEACTIVATED'],
  },
  {
    code: 'BAD_REQUEST',
    status: 408,
    reason: 'A body that never comes: every server has a time of its own for it, half a minute or several.',
    test: ['server/traffic/bodies.test.ts', 'every operation answers 408 (BAD_REQUEST)'],
  },
  {
    code: 'UNAUTHORIZED',
    operations: ['get-metrics'],
    reason: 'Whether metrics take a token is a setting of the server, and the suite has none.',
    test: ['server/metrics-access.test.ts', 'with a token: only those who send it can read'],
  },
  {
    code: 'BAD_REQUEST',
    status: 404,
    operations: ['get-metrics'],
    reason: 'Whether metrics are there is a setting of the server.',
    test: ['server/metrics-access.test.ts', 'without a token, reachable by others'],
  },
  {
    code: 'REALM_UPLOAD_QUOTA',
    operations: ['upload-file'],
    reason: 'It would take all the room that the organization has for files.',
    test: ['handlers/attachments/upload-file.test.ts', 'simultaneous uploads count each other'],
  },
  {
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    operations: ['update-message'],
    reason: 'Messages have to become as old as the organization says, which is a week where nobody has changed it.',
    test: ['handlers/messages/move-messages-rights.test.ts', 'a single message has some seconds after the limit'],
    check: 'move-rights/limits',
  },
  {
    code: 'PUSH_SERVICE_NOT_CONFIGURED',
    reason: 'Whether there is a push service is a setting of the server.',
    test: ['handlers/devices/devices.test.ts', 'have no push service if none is configured'],
  },
  ...['ADMIN_ACTION_REQUIRED', 'FAILED_TO_CONNECT_BOUNCER', 'INTERNAL_SERVER_ERROR_ON_BOUNCER'].map(
    (code): Unprovokable => ({
      code,
      reason: 'It needs the suite as the push service.',
      test: ['handlers/devices/devices.test.ts', 'are told why the service refused'],
      check: 'push/service',
    }),
  ),
  {
    code: 'CANNOT_DEACTIVATE_LAST_USER',
    operations: ['deactivate-own-user'],
    reason: 'A server that wrongly obeys has lost its only owner.',
    test: ['handlers/users/deactivate-user.test.ts', 'the only owner cannot be deactivated'],
  },
]

/** Why a refusal is not provoked; undefined if it is. */
export function whyUnprovokable(operation: Operation, answer: ErrorAnswer): string | undefined {
  return unprovokableOf(operation, answer)?.reason
}

export function unprovokableOf({ id }: Operation, answer: ErrorAnswer): Unprovokable | undefined {
  return unprovokable.find(
    ({ code, status = answer.status, operations }) =>
      code === answer.code && status === answer.status && (operations?.includes(id) ?? true),
  )
}
