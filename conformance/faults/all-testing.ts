import type { SeededFault } from '../testing.ts'
import { accountDetailFaults } from './account-details-testing.ts'
import { accountEffectFaults } from './account-effects-testing.ts'
import { argumentFaults } from './arguments-testing.ts'
import { attachmentFaults } from './attachments-testing.ts'
import { audienceFaults } from './audiences-testing.ts'
import { constantFaults } from './constants-testing.ts'
import { conventionFaults } from './conventions-testing.ts'
import { draftFaults } from './drafts-testing.ts'
import { editFaults } from './edits-testing.ts'
import { effectFaults } from './effects-testing.ts'
import { envelopeFaults } from './envelope-testing.ts'
import { errorCodeFaults } from './error-codes-testing.ts'
import { eventFaults } from './events-testing.ts'
import { forbiddenFaults } from './forbidden-testing.ts'
import { frameFaults, togetherFaults } from './frame-testing.ts'
import { impostorFaults } from './impostors-testing.ts'
import { lawFaults } from './laws-testing.ts'
import { limitFaults } from './limits-testing.ts'
import { manyFaults } from './many-testing.ts'
import { messageFaults } from './messages-testing.ts'
import { modelledFaults } from './modelled-testing.ts'
import { narrowFaults, readingFaults } from './narrows-testing.ts'
import { organizationFaults, userGroupFaults } from './organization-testing.ts'
import { ownEventFaults } from './own-events-testing.ts'
import { placeFaults } from './places-testing.ts'
import { presenceFaults } from './presence-testing.ts'
import { raceFaults } from './races-testing.ts'
import { refusalFaults } from './refusals-testing.ts'
import { refusedFaults } from './refused-testing.ts'
import { registrationFaults } from './registration-testing.ts'
import { severalFaults } from './several-testing.ts'
import { subscribingFaults } from './subscribing-testing.ts'
import { subscriptionSettingFaults } from './subscription-settings-testing.ts'
import { subscriptionFaults } from './subscriptions-testing.ts'
import { textFaults } from './texts-testing.ts'
import { toldFaults } from './told-testing.ts'
import { topicFaults } from './topics-testing.ts'
import { tourFaults } from './tour-testing.ts'
import { traceFaults } from './traces-testing.ts'
import { userEventFaults } from './user-events-testing.ts'
import { userFaults } from './users-testing.ts'
import { viewFaults } from './views-testing.ts'
import { witnessFaults } from './witnesses-testing.ts'

/** Every fault that the suite is shown, so that each requirement is seen to turn red. */
export const allFaults: readonly SeededFault[] = [
  ...envelopeFaults,
  ...conventionFaults,
  ...messageFaults,
  ...editFaults,
  ...attachmentFaults,
  ...draftFaults,
  ...narrowFaults,
  ...readingFaults,
  ...limitFaults,
  ...subscriptionFaults,
  ...subscriptionSettingFaults,
  ...topicFaults,
  ...userFaults,
  ...presenceFaults,
  ...eventFaults,
  ...ownEventFaults,
  ...userEventFaults,
  ...refusalFaults,
  ...lawFaults,
  ...raceFaults,
  ...errorCodeFaults,
  ...witnessFaults,
  ...audienceFaults,
  ...constantFaults,
  ...placeFaults,
  ...manyFaults,
  ...frameFaults,
  ...refusedFaults,
  ...togetherFaults,
  ...tourFaults,
  ...viewFaults,
  ...effectFaults,
  ...organizationFaults,
  ...userGroupFaults,
  ...accountEffectFaults,
  ...argumentFaults,
  ...traceFaults,
  ...registrationFaults,
  ...subscribingFaults,
  ...accountDetailFaults,
  ...toldFaults,
  ...textFaults,
  ...severalFaults,
  ...modelledFaults,
  ...impostorFaults,
  ...forbiddenFaults,
]
