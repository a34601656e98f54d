import { ourKind, some } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'

/** The steps that the suite uses. */
export const notices = ['intro_inbox_view_modal', 'intro_recent_view_modal', 'first_stream_created_banner'] as const

export const requests: Requests = {
  'mark-onboarding-step-seen': () => ({ onboarding_step: notices[0] }),
}

export const actions = [
  ourKind(
    'see notice',
    ({ observer }) => ({ who: observer, notice: some }),
    (world, { who, notice }) =>
      world.person(who).call('mark-onboarding-step-seen', { onboarding_step: notices[notice % notices.length] }),
  ),
]
