import { collected } from '../faults-generated-testing.ts'
import type { SeededFault } from '../testing.ts'

/** Every seeded fault, so that each requirement is seen to fail. */
export const allFaults: readonly SeededFault[] = collected.flat()
