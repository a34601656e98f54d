import { withDevelopmentLogin } from '../acts/accounts.ts'
import { newBot } from '../acts/bots.ts'
import { newAddress, newInvitation, newLink, soon } from '../acts/invitations.ts'
import { validRequest } from '../acts/valid-request.ts'
import { type Account, operationNamed, requestOf, type Values } from '../deployment/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import type { Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { ofFiles } from './files.ts'
import { deactivatedUser } from './generic.ts'
import { callAsUser, idOfNothing, type OwnProvocations, type Send } from './provocation.ts'

/** How to provoke refusals that only one operation has: by operation and `status code`. */
export const ownProvocations: OwnProvocations = {
  ...ofFiles,
  'fetch-api-key': {
    '401 AUTHENTICATION_FAILED': {
      isForbidden: true,
      send: async (t) => logIn(t, (await t.scene()).user.email, 'no such password'),
    },
    '401 USER_DEACTIVATED': {
      isForbidden: true,
      async send(t) {
        const { email, password } = await deactivatedUser(t)
        return logIn(t, email, String(password))
      },
    },
  },
  'dev-fetch-api-key': {
    '400 REQUEST_VARIABLE_MISSING': { isChoice: true, send: callAsUser({}) },
    '401 AUTHENTICATION_FAILED': {
      isForbidden: true,
      async send(t, operation) {
        await withDevelopmentLogin(t)
        return callAsUser({ username: newAddress(t) })(t, operation)
      },
    },
    '401 USER_DEACTIVATED': {
      isForbidden: true,
      async send(t, operation) {
        await withDevelopmentLogin(t)
        return callAsUser({ username: (await deactivatedUser(t)).email })(t, operation)
      },
    },
  },
  ...Object.fromEntries(
    ['update-settings', 'update-notification-settings', 'update-display-settings'].map((operation) => [
      operation,
      {
        '400 UNAUTHORIZED_PRINCIPAL': {
          isForbidden: true,
          send: callAsUser({ target_users: { user_ids: [idOfNothing] }, enter_sends: true }),
        },
      },
    ]),
  ),
  'get-events': {
    '400 BAD_EVENT_QUEUE_ID': { send: callAsUser({ queue_id: 'conformance-none', last_event_id: -1 }) },
    '400 REQUEST_VARIABLE_MISSING': { send: callAsUser({}) },
  },
  'delete-queue': { '400 BAD_EVENT_QUEUE_ID': { send: callAsUser({ queue_id: 'conformance-none' }) } },
  'send-message': {
    '400 STREAM_DOES_NOT_EXIST': {
      send: callAsUser({ type: 'stream', to: idOfNothing, topic: 'conformance', content: 'To nowhere.' }),
    },
    '400 STREAM_WILDCARD_MENTION_NOT_ALLOWED': { isChoice: true, send: (t) => shout(t, '@**all**') },
    '400 TOPIC_WILDCARD_MENTION_NOT_ALLOWED': { isChoice: true, send: (t) => shout(t, '@**topic**') },
  },
  'create-scheduled-message': { '400 STREAM_DOES_NOT_EXIST': { send: scheduledForNothing } },
  'update-scheduled-message': { '400 STREAM_DOES_NOT_EXIST': { send: scheduledForNothing } },
  'update-message': {
    '400 EXPECTATION_MISMATCH': {
      async send(t) {
        const { user, messageId } = await t.scene()
        const changes = { content: 'Edited in vain.', prev_content_sha256: '0'.repeat(64) }
        return user.call('update-message', { message_id: messageId, ...changes })
      },
    },
    '400 REQUEST_CONFUSING_VAR': {
      async send(t) {
        const { user, messageId, topic } = await t.scene()
        return user.call('update-message', { message_id: messageId, content: 'Edited.', topic, subject: topic })
      },
    },
    '400 STREAM_WILDCARD_MENTION_NOT_ALLOWED': { isChoice: true, send: (t) => shoutLater(t, '@**all**') },
    '400 TOPIC_WILDCARD_MENTION_NOT_ALLOWED': { isChoice: true, send: (t) => shoutLater(t, '@**topic**') },
  },
  'update-navigation-view': {
    '404 BAD_REQUEST': { send: callAsUser({ fragment: 'conformance-none', is_pinned: true }) },
  },
  'remove-navigation-view': { '404 BAD_REQUEST': { send: callAsUser({ fragment: 'conformance-none' }) } },
  'send-encrypted-test-notification': {
    '400 NO_ACTIVE_PUSH_DEVICE': { send: callAsUser({ device_id: idOfNothing }) },
  },
  'send-test-notification': {
    '400 INVALID_PUSH_DEVICE_TOKEN': { send: callAsUser({ token: 'conformance-none' }) },
  },
  'invite-by-email': {
    '400 INVITATION_FAILED': {
      async send(t) {
        const values = { invitee_emails: 'conformance', stream_ids: [], ...soon }
        return t.person('administrator').call('invite-by-email', values)
      },
    },
    '400 UNAUTHORIZED_PRINCIPAL': {
      isForbidden: true,
      async send(t) {
        const invitee_emails = newAddress(t)
        const values = { invitee_emails, stream_ids: [], ...soon, invite_as: 100 }
        return (await t.scene()).user.call('invite-by-email', values)
      },
    },
  },
  'create-invitation-link': {
    '400 UNAUTHORIZED_PRINCIPAL': {
      isForbidden: true,
      send: (t) => belowOwner(t).call('create-invitation-link', { ...soon, invite_as: 100 }),
    },
  },
  'revoke-invitation': { '400 UNAUTHORIZED_PRINCIPAL': { isForbidden: true, send: manageOwners(newInvitation) } },
  'resend-invitation': { '400 UNAUTHORIZED_PRINCIPAL': { isForbidden: true, send: manageOwners(newInvitation) } },
  'revoke-invitation-link': { '400 UNAUTHORIZED_PRINCIPAL': { isForbidden: true, send: manageOwners(newLink) } },
  'accept-invitation': {
    '404 BAD_REQUEST': {
      send: callAsUser({ invite_key: 'conformance', full_name: 'Conformance', password: 'four winds meet' }),
    },
  },
  'update-bot': {
    '400 UNAUTHORIZED_PRINCIPAL': {
      isForbidden: true,
      async send(t) {
        const { user } = await t.scene()
        return user.call('update-bot', { bot_id: await newBot(t, user), role: 300 })
      },
    },
  },
  'update-stream': {
    '400 UNAUTHORIZED_PRINCIPAL': {
      async send(t) {
        const { user } = await t.scene()
        const channel = await t.channel(user)
        return t.person('administrator').call('update-stream', { stream_id: channel.id, message_retention_days: 30 })
      },
    },
    '400 EXPECTATION_MISMATCH': {
      async send(t) {
        const channel = await t.channel((await t.scene()).user)
        const change = { can_remove_subscribers_group: { new: 4, old: idOfNothing } }
        return t.person('owner').call('update-stream', { stream_id: channel.id, ...change })
      },
    },
  },
  'update-realm': {
    '400 EXPECTATION_MISMATCH': {
      send: async (t) => t.person('owner').call('update-realm', { can_create_groups: { new: 4, old: idOfNothing } }),
    },
  },
  'update-user-group': {
    '400 EXPECTATION_MISMATCH': {
      async send(t) {
        const { user } = await t.scene()
        const id = await madeGroup(t)
        const can_join_group = { new: 4, old: idOfNothing }
        return user.call('update-user-group', { user_group_id: id, can_join_group })
      },
    },
  },
  'deactivate-user-group': {
    '400 CANNOT_DEACTIVATE_GROUP_IN_USE': {
      async send(t) {
        const { user } = await t.scene()
        const id = await madeGroup(t)
        await madeGroup(t, [id])
        return user.call('deactivate-user-group', { user_group_id: id })
      },
    },
  },
  'get-messages': {
    '400 BAD_NARROW': {
      send: callAsUser({ anchor: 'newest', num_before: 1, num_after: 0, narrow: unknownOperator() }),
    },
    '400 REQUEST_VARIABLE_MISSING': { send: callAsUser({}) },
  },
  'update-message-flags-for-narrow': {
    '400 BAD_NARROW': {
      send: callAsUser({
        ...{ anchor: 'newest', num_before: 1, num_after: 0, narrow: unknownOperator() },
        ...{ op: 'add', flag: 'starred' },
      }),
    },
  },
  'check-messages-match-narrow': {
    '400 BAD_NARROW': {
      async send(t) {
        const { user, messageId } = await t.scene()
        return user.call('check-messages-match-narrow', { msg_ids: [messageId], narrow: unknownOperator() })
      },
    },
  },
  'add-reaction': {
    '400 REACTION_ALREADY_EXISTS': {
      async send(t) {
        const { user, messageId } = await t.scene()
        const values = { message_id: messageId, emoji_name: 'octopus' }
        await user.call('add-reaction', values) // may have been added before
        return user.call('add-reaction', values)
      },
    },
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
    '409 CHANNEL_ALREADY_EXISTS': {
      async send(t) {
        const { user, channel } = await t.scene()
        return user.call('create-channel', { name: channel.name, subscribers: [] })
      },
    },
    '400 UNAUTHORIZED_PRINCIPAL': {
      async send(t) {
        const values = { name: t.unique('conformance'), subscribers: [], message_retention_days: 30 }
        return (await t.scene()).user.call('create-channel', values)
      },
    },
  },
  subscribe: {
    '400 UNAUTHORIZED_PRINCIPAL': {
      async send(t) {
        const subscriptions = [{ name: t.unique('conformance') }]
        return (await t.scene()).user.call('subscribe', { subscriptions, message_retention_days: 30 })
      },
    },
  },
  unsubscribe: { '400 STREAM_DOES_NOT_EXIST': { send: callAsUser({ subscriptions: ['conformance none'] }) } },
  'update-subscriptions': { '400 STREAM_DOES_NOT_EXIST': { send: callAsUser({ delete: ['conformance none'] }) } },
  'deactivate-own-user': {
    '400 BAD_REQUEST': {
      isChoice: true, // the answer to a query that is not UTF-8; the sender may be deactivated afterwards
      async send(t) {
        return (await t.newUser()).send({ method: 'DELETE', path: '/api/v1/users/me?conformance=%ff' })
      },
    },
  },
}

/** Id of a new group of the scene's user. */
async function madeGroup(t: CheckContext, subgroups: readonly number[] = []): Promise<number> {
  const { user } = await t.scene()
  const described = { name: t.unique('Conformance group').slice(-90), description: 'For a refusal.' }
  const made = await user.must('create-user-group', { ...described, members: [], subgroups })
  return Number(made.body.group_id)
}

/** A narrow with an operator that does not exist. */
function unknownOperator(): object[] {
  return [{ operator: 'conformance', operand: 'none' }]
}

/** An administrator who is not an owner. */
function belowOwner(t: CheckContext): Account {
  const administrator = t.person('administrator')
  return administrator.role === 'owner'
    ? t.leaveOut('needs the credentials of an administrator who is no owner')
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

function logIn(t: CheckContext, username: string, password: string): Promise<Exchange> {
  return t.deployment.send(requestOf(operationNamed(t.deployment.contract, 'fetch-api-key'), { username, password }))
}

/** A conversation with one person more than anybody may mention at once, and that person's message in it. */
interface Crowd {
  readonly speaker: Account
  readonly conversation: Values
  readonly messageId: number
}

const crowds = new WeakMap<Deployment, Promise<Crowd>>()

function crowdOf(t: CheckContext): Promise<Crowd> {
  const made = crowds.get(t.deployment) ?? makeCrowd(t)
  crowds.set(t.deployment, made)
  return made
}

async function makeCrowd(t: CheckContext): Promise<Crowd> {
  const [speaker, others] = [await t.newUser(), await t.crowd()]
  const channel = await t.channel(speaker, others)
  const conversation = { type: 'stream', to: channel.id, topic: 'conformance' }
  const say = (person: Account): Promise<Exchange> =>
    person.must('send-message', { ...conversation, content: 'I am here too.' })
  const [first] = await Promise.all([speaker, ...others].map(say))
  return { speaker, conversation, messageId: Number(first?.body.id) }
}

async function shout(t: CheckContext, content: string): Promise<Exchange> {
  const { speaker, conversation } = await crowdOf(t)
  return speaker.call('send-message', { ...conversation, content })
}

async function shoutLater(t: CheckContext, content: string): Promise<Exchange> {
  const { speaker, messageId } = await crowdOf(t)
  return speaker.call('update-message', { message_id: messageId, content })
}
