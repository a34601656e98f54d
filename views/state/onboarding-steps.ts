import { stepsAfter } from '../../domain/onboarding-steps.ts'
import type { StatePart } from './state-request.ts'

/** Fetch type `onboarding_steps`: notices that the caller has not seen yet. There is no introduction video. */
export const part: StatePart = async ({ onboardingSteps }, actor, { isWanted }) => ({
  ...(isWanted('onboarding_steps') && {
    onboarding_steps: stepsAfter(await onboardingSteps.seenBy(actor.id)),
    navigation_tour_video_url: null,
  }),
})
