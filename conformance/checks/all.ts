import type { Check } from '../kernel/check.ts'
import type { Contract } from '../wire/contract.ts'
import { accountChecks } from './accounts.ts'
import { attachmentChecks } from './attachments.ts'
import { audienceChecks } from './audiences/all.ts'
import { authenticationChecks } from './authentication.ts'
import { channelChecks } from './channels.ts'
import { conventionChecks } from './conventions.ts'
import { draftChecks } from './drafts.ts'
import { editPlaceChecks } from './edit-places.ts'
import { editChecks } from './edits.ts'
import { accountDetailEffects } from './effects/account-details.ts'
import { accountEffects } from './effects/accounts.ts'
import { capabilityEffects } from './effects/capabilities.ts'
import { channelPermissionEffects } from './effects/channel-permissions.ts'
import { channelEffects } from './effects/channels.ts'
import { detailEffects } from './effects/details.ts'
import { documentEffects } from './effects/documents.ts'
import { emptyTopicEffects } from './effects/empty-topic.ts'
import { fileEffects } from './effects/files.ts'
import { listingEffects } from './effects/listing.ts'
import { manyEffects } from './effects/many.ts'
import { markEffects } from './effects/marks.ts'
import { mentionEffects } from './effects/mentions.ts'
import { messageEffects } from './effects/messages.ts'
import { noticeEffects } from './effects/notices.ts'
import { organizationEffects } from './effects/organization.ts'
import { ownSettingEffects } from './effects/own-settings.ts'
import { toldEffects } from './effects/own-told.ts'
import { peopleEffects } from './effects/people.ts'
import { placeEffects } from './effects/places.ts'
import { registrationEffects } from './effects/registration.ts'
import { sendingEffects } from './effects/sending.ts'
import { serverEffects } from './effects/server.ts'
import { severalEffects } from './effects/several.ts'
import { subscribingEffects } from './effects/subscribing.ts'
import { textEffects } from './effects/texts.ts'
import { togetherEffects } from './effects/together.ts'
import { traceEffects } from './effects/traces.ts'
import { userGroupEffects } from './effects/user-groups.ts'
import { envelopeChecks } from './envelope.ts'
import { errorCodeChecks } from './error-codes.ts'
import { eventChecks } from './events.ts'
import { forbiddenChecks } from './forbidden.ts'
import { frameChecks } from './frame/all.ts'
import { refusedFrameChecks } from './frame/refused.ts'
import { groupSettingChecks } from './group-settings.ts'
import { impostorChecks } from './impostors.ts'
import { lawChecks } from './laws.ts'
import { legacyPresenceChecks } from './legacy-presence.ts'
import { limitChecks } from './limits.ts'
import { mentionChecks } from './mentions.ts'
import { messageListChecks } from './message-lists.ts'
import { messageChecks } from './messages.ts'
import { modelledListChecks } from './modelled/lists.ts'
import { modelledQueueChecks } from './modelled/queues.ts'
import { narrowChecks } from './narrows.ts'
import { ownEventChecks } from './own-events.ts'
import { presenceChecks } from './presence.ts'
import { presenceHistoryChecks } from './presence-history.ts'
import { raceChecks } from './races.ts'
import { reactionChecks } from './reactions.ts'
import { readingChecks } from './reading.ts'
import { refusalChecks } from './refusals.ts'
import { roleChecks } from './roles.ts'
import { submessageChecks } from './submessages.ts'
import { subscriptionListChecks } from './subscription-lists.ts'
import { subscriptionSettingChecks } from './subscription-settings.ts'
import { subscriptionChecks } from './subscriptions.ts'
import { topicChecks } from './topics.ts'
import { tourChecks } from './tour.ts'
import { userEventChecks } from './user-events.ts'
import { userChecks } from './users.ts'
import { witnessChecks } from './witnesses.ts'

/** Every check there is, in the order of reports. */
export function allChecks(contract: Contract): Check[] {
  return [
    ...envelopeChecks(contract),
    ...conventionChecks,
    ...authenticationChecks,
    ...impostorChecks(contract),
    ...forbiddenChecks,
    ...messageChecks,
    ...messageListChecks,
    ...submessageChecks,
    ...attachmentChecks,
    ...draftChecks,
    ...editChecks,
    ...editPlaceChecks,
    ...mentionChecks,
    ...narrowChecks,
    ...readingChecks,
    ...reactionChecks,
    ...subscriptionChecks,
    ...subscriptionListChecks,
    ...subscriptionSettingChecks,
    ...channelChecks,
    ...groupSettingChecks,
    ...topicChecks,
    ...userChecks,
    ...accountChecks,
    ...presenceChecks,
    ...presenceHistoryChecks,
    ...legacyPresenceChecks,
    ...eventChecks,
    ...ownEventChecks,
    ...userEventChecks,
    ...lawChecks,
    ...raceChecks,
    ...audienceChecks,
    ...frameChecks,
    ...refusedFrameChecks,
    ...tourChecks,
    ...refusalChecks,
    ...limitChecks,
    ...roleChecks(contract),
    ...messageEffects,
    ...sendingEffects,
    ...listingEffects,
    ...markEffects,
    ...traceEffects,
    ...noticeEffects,
    ...fileEffects,
    ...detailEffects,
    ...channelEffects,
    ...peopleEffects,
    ...userGroupEffects,
    ...organizationEffects,
    ...accountEffects,
    ...serverEffects,
    ...documentEffects,
    ...registrationEffects,
    ...capabilityEffects,
    ...subscribingEffects,
    ...ownSettingEffects,
    ...accountDetailEffects,
    ...channelPermissionEffects,
    ...toldEffects,
    ...textEffects,
    ...mentionEffects,
    ...severalEffects,
    ...emptyTopicEffects,
    ...placeEffects,
    ...manyEffects,
    ...togetherEffects,
    ...modelledListChecks,
    ...modelledQueueChecks,
    ...errorCodeChecks(contract),
    ...witnessChecks,
  ]
}
