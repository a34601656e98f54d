import type { UserId } from '../../domain/ids.ts'
import type { OnboardingStepName } from '../../domain/onboarding-steps.ts'
import { Repository } from '../repository.ts'

/** Notices about the client that users have seen. */
export class OnboardingStepReader extends Repository {
  /** Their names. */
  async seenBy(userId: UserId): Promise<Set<string>> {
    const rows = await this.session.all<{ readonly name: string }>(
      'select name from onboarding_step where user_id = ?',
      [userId],
    )
    return new Set(rows.map(({ name }) => name))
  }
}

export class OnboardingStepWriter extends OnboardingStepReader {
  /** The table refuses duplicates. */
  async insert(user_id: UserId, name: OnboardingStepName): Promise<void> {
    await this.session.knex('onboarding_step').insert({ user_id, name })
  }
}
