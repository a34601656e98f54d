import fc from 'fast-check'
import { archiveChannel } from './actions/archive-channel.ts'
import { addToWidget, deleteMessage, editMessage } from './actions/change-messages.ts'
import { changeOrganization } from './actions/change-organization.ts'
import { changeSubscription } from './actions/change-subscription.ts'
import { createUser } from './actions/create-user.ts'
import { keepDraft } from './actions/drafts.ts'
import { changeActivity, updateUser } from './actions/manage-users.ts'
import { markMessages, readAtOnce } from './actions/mark.ts'
import { changeAlertWords, changeSettings, muteUser, reportPresence } from './actions/own-settings.ts'
import { addReaction, removeReaction } from './actions/react.ts'
import { PLAIN_TOPICS, sendDirect, sendToChannel } from './actions/send.ts'
import { setStatus } from './actions/set-status.ts'
import { setTopicVisibility } from './actions/set-topic-visibility.ts'
import { shareFile } from './actions/share-file.ts'
import { createChannel, subscribe } from './actions/subscribe.ts'
import { type } from './actions/typing.ts'
import { unsubscribe } from './actions/unsubscribe.ts'
import { changeGroupMembers, createGroup } from './actions/user-groups.ts'
import type { Action, ActionKind } from './run.ts'

/** Everything that anybody does in the law register + events = register again. */
export const ALL_KINDS: readonly ActionKind[] = [
  sendToChannel(PLAIN_TOPICS),
  sendDirect,
  editMessage,
  deleteMessage,
  addToWidget,
  type,
  subscribe,
  createChannel,
  createUser,
  updateUser,
  changeActivity,
  changeSettings,
  changeOrganization,
  createGroup,
  changeGroupMembers,
  changeAlertWords,
  muteUser,
  keepDraft,
  reportPresence,
  addReaction,
  removeReaction,
  setStatus,
  shareFile,
  markMessages,
  readAtOnce,
  unsubscribe,
  archiveChannel,
  changeSubscription,
  setTopicVisibility,
]

/** Any action of `kinds`, each as often as its weight says. */
export function anyAction(kinds: readonly ActionKind[]): fc.Arbitrary<Action> {
  return fc.oneof(...kinds.map(({ weight, any }) => ({ weight, arbitrary: any })))
}
