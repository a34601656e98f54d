import type { ClientPart } from './state.ts'

export interface OnboardingFields {
  onboarding_steps: readonly object[]
}

/** Each event carries the remaining ones. */
export const part: ClientPart<OnboardingFields> = {
  fetched: ['onboarding_steps'],
  empty: { onboarding_steps: [] },
  apply: {
    onboarding_steps: (state, { onboarding_steps }: OnboardingFields) => {
      state.onboarding_steps = onboarding_steps
    },
  },
}
