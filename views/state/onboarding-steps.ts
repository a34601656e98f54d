import type { StatePart } from './state-request.ts'

/** Fetch type `onboarding_steps`: notices that the caller has not seen yet. */
export const part: StatePart = async ({ onboardingSteps }, actor, { isWanted }) => ({
  ...(isWanted('onboarding_steps') && {
    onboarding_steps: await onboardingSteps.of(actor.id),
    navigation_tour_video_url: null,
  }),
})
