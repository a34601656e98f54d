import { type FilePlace, newFile, showImage } from '../../conformance/acts/attachments.ts'
import { namesOf } from '../../conformance/acts/bots.ts'
import { pictureOf } from '../../conformance/acts/custom-emoji.ts'
import { newInvitation, newLink } from '../../conformance/acts/invitations.ts'
import type { ValidRequest } from '../../conformance/acts/right-request.ts'
import type { Account, Values } from '../../conformance/deployment/account.ts'
import type { Channel } from '../../conformance/deployment/leaving.ts'
import type { Scene } from '../../conformance/deployment/scene.ts'
import type { CheckContext } from '../../conformance/kernel/check-context.ts'
import { newPerson } from '../../conformance/kernel/people-of-roles.ts'
import { SYSTEM_GROUP_ID } from '../../domain/user-groups/system-groups.ts'

/** A request, and the channel whose settings count if no parameter names it. */
export interface Act extends ValidRequest {
  readonly channel?: Pick<Channel, 'id'>
}

/** @param caller who is going to send it; undefined for nobody */
type Maker = (scene: Scene, t: CheckContext, caller: Account | undefined) => Promise<Act> | Act

async function sent({ user, channel, topic }: Scene, content = 'Of the matrix.'): Promise<number> {
  const { body } = await user.must('send-message', { type: 'stream', to: channel.id, topic, content })
  return Number(body.id)
}

async function shown(scene: Scene): Promise<{ realm_id_str: string; file_key: string; file_name: string }> {
  const { body } = await scene.user.must('upload-file', { file: 'Of the matrix.' })
  const path = String(body.url)
  await sent(scene, `[a file](${path})`)
  const [, , realm_id_str = '', file_key = '', file_name = ''] = path.split('/')
  return { realm_id_str, file_key, file_name }
}

/** An image that has its thumbnails. */
async function shownImage(scene: Scene): Promise<FilePlace> {
  const place = await newFile(scene.user, pictureOf(1))
  await showImage(scene.user, place)
  await sent(scene, `[image](/user_uploads/${place.realm_id_str}/${place.filename})`)
  return place
}

async function group({ user }: Scene, t: CheckContext, values: Values = {}): Promise<number> {
  const name = t.unique('Matrix')
  const { body } = await user.must('create-user-group', { name, description: '', members: [user.userId], ...values })
  return Number(body.group_id)
}

async function memberOf(scene: Scene, t: CheckContext, members: readonly Account[]): Promise<number> {
  return group(scene, t, { members: members.map(({ userId }) => userId) })
}

async function move(scene: Scene, values: Values): Promise<Values> {
  const quiet = { send_notification_to_new_thread: false, send_notification_to_old_thread: false }
  return { message_id: await sent(scene, 'Move me.'), ...quiet, ...values }
}

const newChannel = (t: CheckContext, more: Values = {}): Values => ({
  subscriptions: [{ name: t.unique('matrix') }],
  ...more,
})

const addressFor = (t: CheckContext): string => `${t.unique('matrix').replaceAll(' ', '-')}@conformance.example`

const invited = (t: CheckContext, invite_as: number): Values => ({
  invitee_emails: addressFor(t),
  stream_ids: [],
  invite_as,
})

/** A request with these values by the scene's user. */
function byUser(valuesOf: (...args: Parameters<Maker>) => Promise<Values> | Values): Maker {
  return async (...args) => ({ as: args[0].user, values: await valuesOf(...args) })
}

/**
 * Valid requests for acts that the contract names, and for things of members where the suite's own belong to others.
 */
export const acts: Readonly<Record<string, Maker>> = {
  'get-temporary-link: A file shown in a message that they can read': byUser(async (scene) => {
    const { realm_id_str, file_key, file_name } = await shown(scene)
    return { realm_id_str, filename: `${file_key}/${file_name}` }
  }),
  'get-uploaded-file: A file shown in a message that they can read': byUser(shown),
  'get-thumbnail: A file shown in a message that they can read': byUser(async (scene) => {
    const { realm_id_str, filename } = await shownImage(scene)
    const [file_key, file_name] = filename.split('/')
    return { realm_id_str, file_key, file_name, thumbnail_format: '840x560.webp' }
  }),
  'get-thumbnail-status: A file shown in a message that they can read': byUser(async (scene) => ({
    ...(await shownImage(scene)),
  })),
  'upload-own-avatar: Do so when avatars are locked': byUser(() => ({ file: pictureOf(1) })),
  'remove-own-avatar: Do so when avatars are locked': byUser(() => ({})),
  'create-bot: Make a bot that only sends': byUser((_, t) => ({ ...namesOf(t), bot_type: 2 })),
  'get-streams: List all active channels': byUser(() => ({ include_all_active: true })),
  'update-stream: Set its topics policy': byUser(async ({ user }, t) => ({
    stream_id: (await t.channel(user)).id,
    topics_policy: 'disable_empty_topic',
  })),
  'update-stream: Set who deletes messages in it': byUser(async ({ user }, t) => ({
    stream_id: (await t.channel(user)).id,
    can_delete_own_message_group: { new: 5 },
  })),
  'update-own-profile-data: Fill in a field that users cannot edit': byUser(async (_, t) => {
    const field = { field_type: 1, name: t.unique('Field'), hint: '', editable_by_user: false }
    const { body } = await t.person('administrator').must('create-custom-profile-field', field)
    return { data: [{ id: body.id, value: 'x' }] }
  }),
  'add-custom-emoji: Give it the name of a Unicode emoji': byUser(async (_, t) => {
    const emoji_name = 'tada'
    await t.person('owner').call('deactivate-custom-emoji', { emoji_name }) // from an earlier caller
    return { emoji_name, file: pictureOf(1) }
  }),
  'invite-by-email: Invite an administrator': byUser((_, t) => invited(t, 200)),
  'invite-by-email: Invite an owner': byUser((_, t) => invited(t, 100)),
  'revoke-invitation': ofMember,
  'resend-invitation': ofMember,
  'revoke-invitation-link': linkOfMember,
  'update-message: Edit it when editing is off': byUser(async (scene) => ({
    message_id: await sent(scene),
    content: 'Edited.',
  })),
  'update-message: Move it to another topic': byUser((scene, t) => move(scene, { topic: t.unique('elsewhere') })),
  'update-message: Resolve its topic': byUser(async (scene, t) => {
    const topic = t.unique('done')
    const moved = await move(scene, {})
    await scene.user.must('update-message', { ...moved, topic })
    return { ...moved, topic: `✔ ${topic}`, propagate_mode: 'change_all' }
  }),
  'update-message: Move it to another channel': async (scene, t) => {
    const { user, channel } = scene
    return { as: user, values: await move(scene, { stream_id: (await t.channel(user)).id }), channel }
  },
  'delete-message': byUser(async (scene) => ({ message_id: await sent(scene) })),
  'get-read-receipts: Ask when read receipts are off': byUser(async (scene) => ({ message_id: await sent(scene) })),
  'send-message: Start a topic': byUser(({ channel }, t) => ({
    type: 'stream',
    to: channel.id,
    topic: t.unique('new'),
    content: 'x',
  })),
  'send-message: Start a conversation': byUser(async (_, t) => ({
    type: 'direct',
    to: [(await t.newUser()).userId],
    content: 'x',
  })),
  'add-submessage: Vote in a poll': byUser(async (scene) => ({
    message_id: await sent(scene, '/poll Lunch?\nSoup\nBread'),
    msg_type: 'widget',
    content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
  })),
  'create-channel: Make a private channel': byUser(({ user }, t) => ({
    name: t.unique('matrix'),
    subscribers: [user.userId],
    invite_only: true,
  })),
  'create-channel: Set how long messages are kept': byUser(({ user }, t) => ({
    name: t.unique('matrix'),
    subscribers: [user.userId],
    message_retention_days: 30,
  })),
  'update-realm: Change a setting that only owners may change': byUser(() => ({ message_retention_days: -1 })),
  'update-settings: Change your name when names are locked': byUser((_, t) => ({ full_name: t.unique('Matrix') })),
  'update-settings: Change your address when addresses are locked': byUser((_, t) => ({ email: addressFor(t) })),
  'subscribe: Subscribe somebody else': byUser(async ({ channel }, t) => ({
    subscriptions: [{ name: channel.name }],
    principals: [(await t.newUser()).userId],
  })),
  'subscribe: Make a public channel': byUser((_, t) => newChannel(t)),
  'subscribe: Make a private channel': byUser((_, t) => newChannel(t, { invite_only: true })),
  'subscribe: Subscribe to a private channel': async ({ user }, t) => {
    const channel = await t.deployment.newChannel(user, [], true)
    return { as: user, values: { subscriptions: [{ name: channel.name }] }, channel }
  },
  'unsubscribe: Unsubscribe somebody': byUser(async ({ user, other, channel }) => {
    await user.must('subscribe', { subscriptions: [{ name: channel.name }], principals: [other.userId] })
    return { subscriptions: [channel.name], principals: [other.userId] }
  }),
  'update-user-group-members: Remove somebody': byUser(async (scene, t) => ({
    user_group_id: await memberOf(scene, t, [scene.other]),
    delete: [scene.other.userId],
  })),
  'update-user-group-members: Join': byUser(async (scene, t, caller = scene.user) => ({
    user_group_id: await memberOf(scene, t, []),
    add: [caller.userId],
  })),
  'update-user-group-members: Leave': byUser(async (scene, t, caller = scene.user) => ({
    user_group_id: await memberOf(scene, t, [caller]),
    delete: [caller.userId],
  })),
  'update-user-group-subgroups: Remove one': byUser(async (scene, t) => {
    const inner = await group(scene, t)
    return { user_group_id: await group(scene, t, { subgroups: [inner] }), delete: [inner] }
  }),
  'update-user: Make somebody an owner': byUser(async (_, t) => ({
    user_id_or_email: (await t.newUser()).userId,
    role: 100,
  })),
  "update-user: Change somebody's address": async (_, t) => ({
    as: t.person('owner'),
    values: { user_id_or_email: (await t.newUser()).userId, new_email: addressFor(t) },
  }),
  'deactivate-user: Deactivate an owner': byUser(async (_, t) => ({
    user_id_or_email: (await newPerson(t, 'owner'))?.userId,
  })),
  'deactivate-user: Delete messages of the account': byUser(async (_, t) => ({
    user_id_or_email: (await newPerson(t, 'member'))?.userId,
    actions: { delete_public_channel_messages: true },
  })),
  'reactivate-user: Reactivate an owner': byUser(async (_, t) => {
    const person = await newPerson(t, 'owner')
    await t.person('owner').must('deactivate-user', { user_id_or_email: person?.userId })
    return { user_id: person?.userId }
  }),
}

/** An invitation that a member has created. */
async function ofMember({ user }: Scene, t: CheckContext): Promise<Act> {
  return { as: user, values: { invite_id: (await newInvitation(t, user)).id } }
}

async function linkOfMember({ user }: Scene, t: CheckContext): Promise<Act> {
  const owner = t.person('owner')
  const only = { direct_members: [user.userId], direct_subgroups: [] }
  await owner.must('update-realm', { create_multiuse_invite_group: { new: only } })
  const { id } = await newLink(t, user)
  const usual = SYSTEM_GROUP_ID['role:administrators']
  await owner.must('update-realm', { create_multiuse_invite_group: { new: usual } })
  return { as: user, values: { invite_id: id } }
}
