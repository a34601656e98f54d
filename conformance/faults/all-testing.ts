import type { SeededFault } from '../testing.ts'
import { attachmentFaults } from './attachments-testing.ts'
import { conventionFaults } from './conventions-testing.ts'
import { editFaults } from './edits-testing.ts'
import { envelopeFaults } from './envelope-testing.ts'
import { eventFaults } from './events-testing.ts'
import { limitFaults } from './limits-testing.ts'
import { messageFaults } from './messages-testing.ts'
import { narrowFaults, readingFaults } from './narrows-testing.ts'
import { ownEventFaults } from './own-events-testing.ts'
import { refusalFaults } from './refusals-testing.ts'
import { userEventFaults } from './user-events-testing.ts'

/** Every fault that the suite is shown, so that each requirement is seen to turn red. */
export const allFaults: readonly SeededFault[] = [
  ...envelopeFaults,
  ...conventionFaults,
  ...messageFaults,
  ...editFaults,
  ...attachmentFaults,
  ...narrowFaults,
  ...readingFaults,
  ...limitFaults,
  ...eventFaults,
  ...ownEventFaults,
  ...userEventFaults,
  ...refusalFaults,
]
