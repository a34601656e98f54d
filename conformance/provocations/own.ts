import { withDevelopmentLogin } from '../acts/accounts.ts'
import { newBot } from '../acts/bots.ts'
import { newAddress, newInvitation, newLink, soon } from '../acts/invitations.ts'
import { validRequest } from '../acts/valid-request.ts'
import { type Account, requestOf, type Values } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { ofNobody } from '../kernel/messaging.ts'
import type { Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { ofFiles } from './files.ts'
import { deactivatedUser } from './generic.ts'
import { callAsUser, choice, forbidden, idOfNothing, type OwnProvocations, type Send } from './provocation.ts'

const settingsOfOthers: OwnProvocations[string] = {
  '400 UNAUTHORIZED_PRINCIPAL': forbidden(callAsUser({ target_users: { user_ids: [idOfNothing] }, enter_sends: true })),
}
/** A narrow with an operator that does not exist. */
const narrow = [{ operator: 'conformance', operand: 'none' }]
const badNarrow = { anchor: 'newest', num_before: 1, num_after: 0, narrow }

/** How to provoke refusals that only one operation has: by operation and `status code`. */
export const ownProvocations: OwnProvocations = {
  ...ofFiles,
  'fetch-api-key': {
    '401 AUTHENTICATION_FAILED': forbidden(async (t, { id }) =>
      ofNobody(t, id, { username: (await t.scene()).user.email, password: 'no such password' }),
    ),
    '401 USER_DEACTIVATED': forbidden(async (t, { id }) => {
      const { email: username, password } = (await deactivatedUser(t)) ?? t.withoutUsers()
      return ofNobody(t, id, { username, password })
    }),
  },
  'dev-fetch-api-key': {
    '401 AUTHENTICATION_FAILED': forbidden(async (t, operation) => {
      await withDevelopmentLogin(t)
      return callAsUser({ username: newAddress(t) })(t, operation)
    }),
    '401 USER_DEACTIVATED': forbidden(async (t, operation) => {
      await withDevelopmentLogin(t)
      const { email } = (await deactivatedUser(t)) ?? t.withoutUsers()
      return callAsUser({ username: email })(t, operation)
    }),
  },
  'update-settings': settingsOfOthers,
  'update-notification-settings': settingsOfOthers,
  'update-display-settings': settingsOfOthers,
  'get-events': { '400 REQUEST_VARIABLE_MISSING': { send: callAsUser({}) } },
  'create-scheduled-message': { '400 STREAM_DOES_NOT_EXIST': { send: scheduledForNothing } },
  'update-scheduled-message': { '400 STREAM_DOES_NOT_EXIST': { send: scheduledForNothing } },
  'update-navigation-view': {
    '404 BAD_REQUEST': { send: callAsUser({ fragment: 'conformance-none', is_pinned: true }) },
  },
  'remove-navigation-view': { '404 BAD_REQUEST': { send: callAsUser({ fragment: 'conformance-none' }) } },
  'invite-by-email': {
    '400 UNAUTHORIZED_PRINCIPAL': forbidden(
      callAsUser((t) => ({ invitee_emails: newAddress(t), stream_ids: [], ...soon, invite_as: 100 })),
    ),
  },
  'create-invitation-link': {
    '400 UNAUTHORIZED_PRINCIPAL': forbidden((t, { id }) => belowOwner(t).call(id, { ...soon, invite_as: 100 })),
  },
  'revoke-invitation': { '400 UNAUTHORIZED_PRINCIPAL': forbidden(manageOwners(newInvitation)) },
  'resend-invitation': { '400 UNAUTHORIZED_PRINCIPAL': forbidden(manageOwners(newInvitation)) },
  'revoke-invitation-link': { '400 UNAUTHORIZED_PRINCIPAL': forbidden(manageOwners(newLink)) },
  'accept-invitation': {
    '404 BAD_REQUEST': {
      send: callAsUser({ invite_key: 'conformance', full_name: 'Conformance', password: 'four winds meet' }),
    },
  },
  'update-bot': {
    '400 UNAUTHORIZED_PRINCIPAL': forbidden(
      callAsUser(async (t, { user }) => ({ bot_id: await newBot(t, user), role: 300 })),
    ),
  },
  'update-stream': {
    '400 UNAUTHORIZED_PRINCIPAL': { send: changeChannelAs('administrator', { message_retention_days: 30 }) },
    '400 EXPECTATION_MISMATCH': {
      send: changeChannelAs('owner', { can_remove_subscribers_group: { new: 4, old: idOfNothing } }),
    },
  },
  'get-messages': {
    '400 BAD_NARROW': { send: callAsUser(badNarrow) },
    '400 REQUEST_VARIABLE_MISSING': { send: callAsUser({}) },
  },
  'update-message-flags-for-narrow': {
    '400 BAD_NARROW': { send: callAsUser({ ...badNarrow, op: 'add', flag: 'starred' }) },
  },
  'remove-reaction': {
    '400 REACTION_DOES_NOT_EXIST': {
      async send(t) {
        const { other, messageId } = await t.scene()
        return other.call('remove-reaction', { message_id: messageId, emoji_name: 'tada' })
      },
    },
  },
  'create-channel': {
    '400 UNAUTHORIZED_PRINCIPAL': {
      send: callAsUser((t) => ({ name: t.unique('conformance'), subscribers: [], message_retention_days: 30 })),
    },
  },
  subscribe: {
    '400 UNAUTHORIZED_PRINCIPAL': {
      send: callAsUser((t) => ({ subscriptions: [{ name: t.unique('conformance') }], message_retention_days: 30 })),
    },
  },
  unsubscribe: { '400 STREAM_DOES_NOT_EXIST': { send: callAsUser({ subscriptions: ['conformance none'] }) } },
  'update-subscriptions': { '400 STREAM_DOES_NOT_EXIST': { send: callAsUser({ delete: ['conformance none'] }) } },
  'deactivate-own-user': {
    // The answer to a query that is not UTF-8; the sender may be deactivated afterwards.
    '400 BAD_REQUEST': choice(async (t) =>
      (await t.newUser()).send({ method: 'DELETE', path: '/api/v1/users/me?conformance=%ff' }),
    ),
  },
}

/** Changes a new channel as somebody of this role. */
function changeChannelAs(role: 'administrator' | 'owner', change: Values): Send {
  return async (t, { id }) => {
    const channel = await t.channel((await t.scene()).user)
    return t.person(role).call(id, { stream_id: channel.id, ...change })
  }
}

/** An administrator who is not an owner. */
function belowOwner(t: CheckContext): Account {
  const administrator = t.person('administrator')
  return administrator.role === 'owner'
    ? t.leaveOut('needs the credentials of an administrator who is not an owner')
    : administrator
}

/** Changes an owner's invitation for another owner. */
function manageOwners(make: typeof newInvitation): Send {
  return async (t, operation) => {
    const { id } = await make(t, t.person('owner'), { invite_as: 100 })
    return belowOwner(t).send(requestOf(operation, { invite_id: id }))
  }
}

/** Schedules for a channel that does not exist. */
async function scheduledForNothing(t: CheckContext, operation: Operation): Promise<Exchange> {
  const { as, values } = await validRequest(t, operation)
  return as.send(requestOf(operation, { ...values, type: 'stream', to: idOfNothing, topic: 'conformance' }))
}
