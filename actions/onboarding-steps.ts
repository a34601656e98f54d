import type { Tx } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import { isOnboardingStep, stepsAfter } from '../domain/onboarding-steps.ts'
import { announceToSelf } from './announce-to-self.ts'

/**
 * Records that a user has seen a notice of the client, and tells the user's other clients. @throws {BadRequestError}
 * for an unknown notice
 */
export async function markOnboardingStepSeen(tx: Tx, userId: UserId, name: string): Promise<void> {
  if (!isOnboardingStep(name)) throw new BadRequestError(`Unknown onboarding_step: ${name}`)
  const seen = await tx.onboardingSteps.seenBy(userId)
  if (seen.has(name)) return
  await tx.onboardingSteps.insert(userId, name)
  announceToSelf(tx, userId, { type: 'onboarding_steps', onboarding_steps: stepsAfter(seen.add(name)) })
}
