import type { SeededFault } from '../testing.ts'
import { faults as conditional } from './conditional-testing.ts'
import { faults as laws } from './laws-testing.ts'
import { faults as modelled } from './modelled-testing.ts'
import { faults as pushService } from './push-service-testing.ts'
import { faults as races } from './races-testing.ts'
import { faults as refused } from './refused-testing.ts'
import { faults as witnesses } from './witnesses-testing.ts'

/** Every seeded fault, so that each requirement is seen to fail. */
export const allFaults: readonly SeededFault[] = [
  conditional,
  laws,
  modelled,
  pushService,
  races,
  refused,
  witnesses,
].flat()
