import type { UserId } from '../../domain/ids.ts'
import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

/** Notices that people have not seen yet. */
export class OnboardingStepReader extends Repository {
  /** Notices that are still to be shown, by name. */
  async of(userId: UserId): Promise<Schemas['OnboardingStep'][]> {
    const rows = await this.session.all<{ readonly name: string }>(
      'select name from onboarding_step where user_id = ? order by name',
      [userId],
    )
    return rows.map(({ name }) => ({ type: 'one_time_notice', name }))
  }
}
