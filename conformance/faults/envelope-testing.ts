import type { SeededFault } from '../testing.ts'
import { succeed } from './changes-testing.ts'

const ofMessage = 'envelope/success/get-message'
const isMessage = (path: string): boolean => /^\/messages\/\d+$/.test(path)

export const faults: readonly SeededFault[] = [
  {
    name: 'body that is a list',
    only: ofMessage,
    violates: ['ENV-6'],
    fault(answer, { path }) {
      if (isMessage(path)) answer.body = [answer.body]
    },
  },
  {
    name: 'body that is not JSON',
    only: ofMessage,
    violates: ['ENV-6'],
    fault(answer, { path }) {
      if (isMessage(path)) answer.body = 'fine'
    },
  },
  {
    name: 'result of another name',
    only: ofMessage,
    violates: ['ENV-7'],
    fault({ body }, { path }) {
      if (isMessage(path)) body.result = 'ok'
    },
  },
  {
    name: 'success without msg',
    only: ofMessage,
    violates: ['ENV-8'],
    fault({ body }, { path }) {
      if (isMessage(path)) delete body.msg
    },
  },
  {
    name: 'success with a message',
    only: ofMessage,
    violates: ['ENV-9'],
    fault({ body }, { path }) {
      if (isMessage(path)) body.msg = 'done'
    },
  },
  {
    name: 'refusal without code',
    only: 'envelope/missing/send-message',
    violates: ['ENV-10'],
    fault({ body, status }) {
      if (status === 400) delete body.code
    },
  },
  {
    name: 'refusal with a code of its own',
    only: 'envelope/missing/send-message',
    violates: ['ENV-10'],
    fault({ body, status }) {
      if (status === 400) body.code = 'WENT_WRONG'
    },
  },
  {
    name: 'unknown parameters not listed',
    only: 'envelope/ignored/get-own-user',
    violates: ['ENV-11'],
    fault({ body }) {
      delete body.ignored_parameters_unsupported
    },
  },
  {
    name: 'known parameter listed as unknown',
    only: 'envelope/ignored/send-message',
    violates: ['ENV-11'],
    fault({ body }) {
      body.ignored_parameters_unsupported?.push('topic')
    },
  },
  {
    name: 'empty list of unknown parameters',
    only: ofMessage,
    violates: ['ENV-12'],
    fault({ body }, { path }) {
      if (isMessage(path)) body.ignored_parameters_unsupported = []
    },
  },
  {
    name: 'refusal that lists unknown parameters',
    only: 'envelope/missing/send-message',
    violates: ['ENV-13'],
    fault({ body, status }) {
      if (status === 400) body.ignored_parameters_unsupported = ['conformance_extra']
    },
  },
  {
    name: 'success as text/html',
    only: ofMessage,
    violates: ['ENV-15'],
    fault({ headers }, { path }) {
      if (isMessage(path)) headers.set('content-type', 'text/html')
    },
  },
  {
    name: 'success with HTTP 201',
    only: ofMessage,
    violates: ['ENV-15'],
    fault(answer, { path }) {
      if (isMessage(path)) answer.status = 201
    },
  },
  {
    name: 'missing parameter not named',
    only: 'envelope/missing/mark-topic-as-read',
    violates: ['ENV-18'],
    fault({ body }) {
      if (body.code === 'REQUEST_VARIABLE_MISSING') body.var_name = 'something'
    },
  },
  {
    name: 'wrong type not named',
    only: 'envelope/wrong-type/mark-stream-as-read',
    violates: ['ENV-19'],
    fault({ body, status }) {
      if (status === 400) body.msg = 'Bad value'
    },
  },
  {
    name: 'list that is not JSON accepted',
    only: 'envelope/wrong-type/update-message-flags',
    violates: ['ENV-3'],
    fault(answer) {
      if (answer.status === 400) succeed(answer, { messages: [], ignored_because_not_subscribed_channels: [] })
    },
  },
  {
    name: 'object that is not JSON accepted',
    only: 'envelope/wrong-type/register-queue',
    violates: ['ENV-4'],
    fault(answer, { parameters }) {
      if (answer.status === 400 && parameters.has('client_capabilities')) succeed(answer, {})
    },
  },
  {
    name: 'unlisted value accepted',
    only: 'envelope/unlisted/update-presence',
    violates: ['ENV-20'],
    fault(answer) {
      if (answer.status === 400) succeed(answer, {})
    },
  },
  {
    name: 'value beyond its bounds accepted',
    only: 'envelope/range/get-messages',
    violates: ['CONTRACT-RANGE'],
    fault(answer) {
      if (answer.status === 400) succeed(answer, {})
    },
  },
  {
    name: 'field of a wrong type',
    only: ofMessage,
    violates: ['CONTRACT-ANSWER'],
    fault({ body }, { path }) {
      if (isMessage(path)) body.message.id = String(body.message.id)
    },
  },
  {
    name: 'failure because of an unknown parameter',
    only: 'envelope/hostile/get-own-user',
    violates: ['CONTRACT-FAILURE'],
    fault(answer, { parameters }) {
      if (!parameters.has('conformance_extra')) return
      answer.status = 500
      answer.body = { result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' }
    },
  },
  {
    name: 'right request refused',
    only: ofMessage,
    violates: ['CONTRACT-SUCCESS'],
    fault(answer, { path }) {
      if (!isMessage(path)) return
      answer.status = 400
      answer.body = { result: 'error', msg: 'Invalid message(s)', code: 'BAD_REQUEST' }
    },
  },
  {
    name: 'failure where a user is to be made',
    only: 'envelope/success/create-user',
    violates: ['CONTRACT-SUCCESS'],
    needsUsers: true,
    fault(answer, { method, path }) {
      if (method === 'POST' && path === '/users') answer.status = 500
    },
  },
]
