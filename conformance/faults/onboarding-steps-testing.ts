import type { SeededFault } from '../testing.ts'
import { ofSuccess, succeed } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { misanswered } from './misreadings-testing.ts'

const only = 'mark-onboarding-step-seen'
const path = '/users/me/onboarding_steps'

export const faults: readonly SeededFault[] = [
  misanswered(
    only,
    'any notice',
    (answer, request) => {
      if (request.path === path && answer.status === 400) succeed(answer)
    },
    true,
  ),
  misanswered(
    only,
    'notices that are not told',
    ofEventList((events) => events.filter(({ type }) => type !== 'onboarding_steps')),
    true,
  ),
  misanswered(
    only,
    'notices told as if they were unseen',
    ofEvent('onboarding_steps', (event) => {
      event.onboarding_steps.push({ type: 'one_time_notice', name: 'intro_recent_view_modal' })
    }),
    true,
  ),
  misanswered(
    only,
    'no notices',
    ofSuccess('POST', '/register', (body) => {
      if (body.onboarding_steps) body.onboarding_steps = []
    }),
    true,
  ),
]
