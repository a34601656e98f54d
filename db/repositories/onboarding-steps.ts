import type { UserId } from '../../domain/ids.ts'
import type { OnboardingStepName } from '../../domain/onboarding-steps.ts'
import { Repository } from '../repository.ts'

/** Notices about the client that people have seen. */
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
  /** One that was seen already is refused by the table. */
  async insert(user_id: UserId, name: OnboardingStepName): Promise<void> {
    await this.session.knex('onboarding_step').insert({ user_id, name })
  }
}
