import type { SeededFault } from '../testing.ts'
import { ofSuccess, succeed } from './changes-testing.ts'
import { misanswered, misread } from './misreadings-testing.ts'

const only = 'preview-welcome-message'
const path = '/realm/test_welcome_bot_custom_message'
const users = { needsUsers: true }

export const faults: readonly SeededFault[] = [
  misread(
    only,
    'another greeting shown',
    ['POST', path],
    (parameters) => parameters.set('welcome_message_custom_text', 'Hello.'),
    users,
  ),
  misread(
    only,
    'another greeting set',
    ['PATCH', '/realm'],
    (parameters) => parameters.delete('welcome_message_custom_text'),
    users,
  ),
  misanswered(
    only,
    'greetings of any length',
    (answer, request) => {
      if (request.path === path && answer.status === 400) succeed(answer, { message_id: 1 })
    },
    true,
  ),
  misanswered(
    only,
    'greetings from people',
    ofSuccess('GET', /^\/messages/, (body) => {
      for (const one of body.messages ?? [body.message]) one.sender_email = 'somebody@parley.example'
    }),
    true,
  ),
]
