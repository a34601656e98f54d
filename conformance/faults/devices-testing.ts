import { ids } from '../kernel/check.ts'
import type { Fault, SeededFault } from '../testing.ts'
import { ofSuccess, refuse, succeed } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'
import { misanswered, misread } from './misreadings-testing.ts'

const documented = '/users/me/android_push_reg_id'
const older = '/users/me/android_gcm_reg_id'
const encrypted = '/mobile_push/e2ee/test_notification'

const accepted =
  (method: string, ...paths: readonly string[]): Fault =>
  (answer, request) => {
    if (request.method === method && paths.includes(request.path) && answer.status >= 400) succeed(answer)
  }
const refused =
  (path: string): Fault =>
  (answer, request) => {
    if (request.path === path) refuse(answer)
  }
const saying =
  (code: string, status = 400): Fault =>
  (answer, { path }) => {
    if (path !== encrypted) return
    answer.status = status
    answer.body = { result: 'error', msg: 'No', code }
  }

const tokens: readonly SeededFault[] = [
  {
    name: 'any push token',
    only: 'push/tokens',
    violates: ids('PUSH', [1, 2, 3, 6]),
    fault: accepted('POST', documented),
  },
  {
    name: 'no push token in the older way',
    only: 'push/tokens',
    violates: ids('PUSH', [5, 6, 7]),
    fault: refused(documented),
  },
  { name: 'no push token under the other name', only: 'push/tokens', violates: ['PUSH-8'], fault: refused(older) },
  {
    name: 'push tokens told back',
    only: 'push/tokens',
    violates: ['PUSH-4'],
    fault: ofSuccess('POST', documented, (body) => {
      body.token = 'x'
    }),
  },
]

const notifications: readonly SeededFault[] = [
  {
    name: 'test notifications without a device',
    only: 'push/test',
    violates: ['LEVEL-420', 'PUSHTEST-4'],
    fault: accepted('POST', encrypted),
  },
  {
    name: 'a push service that is missing as an error of the server',
    only: 'push/test',
    violates: ['PUSHTEST-8'],
    fault: saying('PUSH_SERVICE_NOT_CONFIGURED', 501),
  },
  {
    name: 'accounts of a push service',
    only: 'push/test',
    violates: ['LEVEL-468'],
    fault(answer, request) {
      if (request.parameters.has('push_account_id')) saying('BAD_REQUEST')(answer, request)
    },
  },
  {
    name: 'devices with texts for IDs',
    only: 'push/test',
    violates: ['REF-2'],
    fault: ofSuccess('POST', '/register_client_device', (body) => {
      body.device_id = String(body.device_id)
    }),
  },
]

const effects: readonly SeededFault[] = [
  misanswered(
    'register-client-device',
    'devices that are not told',
    ofEventList((events) => events.filter(({ type }) => type !== 'device')),
  ),
  misanswered('register-client-device', 'devices removed twice', accepted('POST', '/remove_client_device')),
  misread('register-client-device', 'another device removed', ['POST', '/remove_client_device'], (parameters) => {
    parameters.set('device_id', String(Number(parameters.get('device_id')) + 1))
  }),
  misanswered('register-client-device', 'devices that a start does not have', ({ body }) => {
    if (body?.devices) body.devices = {}
  }),
  misanswered('add-fcm-token', 'every push token known', accepted('POST', '/mobile_push/test_notification')),
  misanswered('add-fcm-token', 'push tokens removed twice', accepted('DELETE', older)),
  misanswered('add-fcm-token', "any of Apple's push tokens", accepted('POST', '/users/me/apns_device_token')),
  misread('add-fcm-token', 'push tokens cut short', ['POST', older], (parameters) => {
    parameters.set('token', (parameters.get('token') ?? '').slice(0, -1))
  }),
]

export const faults: readonly SeededFault[] = [...tokens, ...notifications, ...effects]
