import { markOnboardingStepSeen as mark } from '../../actions/onboarding-steps.ts'
import type { Handler } from '../handler.ts'

/** POST /users/me/onboarding_steps. */
export const markOnboardingStepSeen: Handler<'mark-onboarding-step-seen'> = async ({ input, write }) => {
  await write((tx, actor) => mark(tx, actor.id, input.onboarding_step))
  return {}
}
