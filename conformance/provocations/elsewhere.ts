import { rank } from '../deployment/deployment.ts'
import type { ErrorAnswer, Operation } from '../wire/contract.ts'
import { nameOf } from '../wire/refusals.ts'

/** Refusals that other checks provoke and compare with their codes: the id of a requirement, or of a check. */
export const elsewhere: Readonly<Record<string, string>> = {
  'get-events: 400 BAD_EVENT_QUEUE_ID': 'EVENTS-13',
  'delete-queue: 400 BAD_EVENT_QUEUE_ID': 'EVENTS-13',
  'send-message: 400 STREAM_DOES_NOT_EXIST': 'ERR-4',
  'send-message: 400 STREAM_WILDCARD_MENTION_NOT_ALLOWED': 'LIMIT-21',
  'send-message: 400 TOPIC_WILDCARD_MENTION_NOT_ALLOWED': 'LIMIT-21',
  'update-message: 400 STREAM_WILDCARD_MENTION_NOT_ALLOWED': 'MSG-EDIT-48',
  'update-message: 400 TOPIC_WILDCARD_MENTION_NOT_ALLOWED': 'MSG-EDIT-49',
  'create-scheduled-message: 400 STREAM_WILDCARD_MENTION_NOT_ALLOWED': 'LIMIT-21',
  'create-scheduled-message: 400 TOPIC_WILDCARD_MENTION_NOT_ALLOWED': 'LIMIT-21',
  'update-scheduled-message: 400 STREAM_WILDCARD_MENTION_NOT_ALLOWED': 'LIMIT-21',
  'update-scheduled-message: 400 TOPIC_WILDCARD_MENTION_NOT_ALLOWED': 'LIMIT-21',
  'update-message: 400 EXPECTATION_MISMATCH': 'MSG-EDIT-25',
  'update-message: 400 REQUEST_CONFUSING_VAR': 'MSG-EDIT-10',
  'check-messages-match-narrow: 400 BAD_NARROW': 'NARROW-12',
  'add-reaction: 400 REACTION_ALREADY_EXISTS': 'REACT-9',
  'send-test-notification: 400 INVALID_PUSH_DEVICE_TOKEN': 'effects/add-fcm-token',
  'send-encrypted-test-notification: 400 NO_ACTIVE_PUSH_DEVICE': 'PUSHTEST-4',
  'invite-by-email: 400 INVITATION_FAILED': 'effects/invite-in-vain',
  'update-realm: 400 EXPECTATION_MISMATCH': 'effects/update-realm',
  'update-user-group: 400 EXPECTATION_MISMATCH': 'effects/update-user-group',
  'deactivate-user-group: 400 CANNOT_DEACTIVATE_GROUP_IN_USE': 'effects/deactivate-user-group/in-use',
  'create-channel: 409 CHANNEL_ALREADY_EXISTS': 'effects/create-channel',
  'add-custom-emoji: 400 BAD_IMAGE': 'effects/add-custom-emoji',
  'deactivate-custom-emoji: 404 BAD_REQUEST': 'effects/add-custom-emoji',
  'upload-own-avatar: 400 BAD_IMAGE': 'effects/upload-own-avatar',
  'upload-realm-icon: 400 BAD_IMAGE': 'effects/upload-realm-icon',
  'upload-realm-logo: 400 BAD_IMAGE': 'effects/upload-realm-logo',
}

/** The requirement or check that provokes a refusal elsewhere; undefined if there is none. */
export function elsewhereOf(operation: Operation, answer: ErrorAnswer): string | undefined {
  const { id, minimumRole, parameters } = operation
  const { code } = answer
  const isOfKey = ['UNAUTHORIZED', 'INVALID_API_KEY', 'USER_DEACTIVATED'].includes(code)
  if (isOfKey && minimumRole !== 'anonymous') return `impostors/${id}`
  if (code === 'UNAUTHORIZED_PRINCIPAL' && rank[minimumRole] > rank.member) return `roles/${id}`
  const isMissing = code === 'REQUEST_VARIABLE_MISSING'
  if (isMissing && parameters.some(({ required, in: place }) => required && place !== 'path')) return 'ENV-18'
  return elsewhere[nameOf(operation, answer)]
}
