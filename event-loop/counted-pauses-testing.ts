import { Pauses } from './pauses.ts'

/** Counts how often others could run. */
export class CountedPauses extends Pauses {
  count = 0
  override letOthers(): Promise<void> {
    this.count += 1
    return super.letOthers()
  }
}
