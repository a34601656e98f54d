import type { Schemas } from '../generated/operations.ts'

/** Notices about the client that are shown once, by the names that clients know. Clients skip unknown ones. */
export const ONBOARDING_STEPS = [
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
] as const

export type OnboardingStepName = (typeof ONBOARDING_STEPS)[number]

export function isOnboardingStep(name: string): name is OnboardingStepName {
  return (ONBOARDING_STEPS as readonly string[]).includes(name)
}

/** Returns the notices still to be shown to a user who has seen these. */
export function stepsAfter(seen: ReadonlySet<string>): Schemas['OnboardingStep'][] {
  return ONBOARDING_STEPS.filter((name) => !seen.has(name)).map((name) => ({ type: 'one_time_notice', name }))
}
