import { collected } from '../faults-generated-testing.ts'
import type { SeededFault } from '../testing.ts'

/** Every fault that the suite is shown, so that each requirement is seen to turn red. */
export const allFaults: readonly SeededFault[] = collected.flat()
