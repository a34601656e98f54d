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

async function fileOf({ user }: Scene): Promise<{ readonly path: string }> {
  const { body } = await user.must('upload-file', { file: 'Of the matrix.' })
  return { path: String(body.url) }
}

async function shown(scene: Scene): Promise<{ realm_id_str: string; file_key: string; file_name: string }> {
  const { path } = await fileOf(scene)
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

async function memberOf(scene: Scene, t: CheckContext, members: readonly (Account | undefined)[]): Promise<number> {
  return group(scene, t, { members: members.flatMap((one) => one?.userId ?? []) })
}

async function move(scene: Scene, values: Values): Promise<Act> {
  const { user, channel, topic } = scene
  const { body } = await user.must('send-message', { type: 'stream', to: channel.id, topic, content: 'Move me.' })
  const quiet = { send_notification_to_new_thread: false, send_notification_to_old_thread: false }
  return { as: user, values: { message_id: body.id, ...quiet, ...values } }
}

const newChannel = (t: CheckContext, more: Values = {}): Values => ({
  subscriptions: [{ name: t.unique('matrix') }],
  ...more,
})

const invited = (t: CheckContext, invite_as: number): Values => ({
  invitee_emails: `${t.unique('matrix').replaceAll(' ', '-')}@conformance.example`,
  stream_ids: [],
  invite_as,
})

/**
 * Valid requests for acts that the contract names, and for things of members where the suite's own belong to others.
 */
export const acts: Readonly<Record<string, Maker>> = {
  'get-temporary-link: A file shown in a message that they can read': async (scene) => {
    const { realm_id_str, file_key, file_name } = await shown(scene)
    return { as: scene.user, values: { realm_id_str, filename: `${file_key}/${file_name}` } }
  },
  'get-uploaded-file: A file shown in a message that they can read': async (scene) => ({
    as: scene.user,
    values: await shown(scene),
  }),
  'get-thumbnail: A file shown in a message that they can read': async (scene) => {
    const { realm_id_str, filename } = await shownImage(scene)
    const [file_key, file_name] = filename.split('/')
    return { as: scene.user, values: { realm_id_str, file_key, file_name, thumbnail_format: '840x560.webp' } }
  },
  'get-thumbnail-status: A file shown in a message that they can read': async (scene) => ({
    as: scene.user,
    values: { ...(await shownImage(scene)) },
  }),
  'upload-own-avatar: Do so when avatars are locked': ({ user }) => ({
    as: user,
    values: { file: pictureOf(1) },
  }),
  'remove-own-avatar: Do so when avatars are locked': ({ user }) => ({ as: user, values: {} }),
  'create-bot: Make a bot that only sends': (scene, t) => ({ as: scene.user, values: { ...namesOf(t), bot_type: 2 } }),
  'get-streams: List all active channels': ({ user }) => ({ as: user, values: { include_all_active: true } }),
  'update-stream: Set its topics policy': async ({ user }, t) => ({
    as: user,
    values: { stream_id: (await t.channel(user)).id, topics_policy: 'disable_empty_topic' },
  }),
  'update-stream: Set who deletes messages in it': async ({ user }, t) => ({
    as: user,
    values: { stream_id: (await t.channel(user)).id, can_delete_own_message_group: { new: 5 } },
  }),
  'update-own-profile-data: Fill in a field that users cannot edit': async ({ user }, t) => {
    const field = { field_type: 1, name: t.unique('Field'), hint: '', editable_by_user: false }
    const administrator = t.person('administrator')
    const { body } = await administrator.must('create-custom-profile-field', field)
    return { as: user, values: { data: [{ id: body.id, value: 'x' }] } }
  },
  'add-custom-emoji: Give it the name of a Unicode emoji': async ({ user }, t) => {
    const emoji_name = 'tada'
    await t.person('owner').call('deactivate-custom-emoji', { emoji_name }) // from an earlier caller
    return { as: user, values: { emoji_name, file: pictureOf(1) } }
  },
  'invite-by-email: Invite an administrator': ({ user }, t) => ({ as: user, values: invited(t, 200) }),
  'invite-by-email: Invite an owner': ({ user }, t) => ({ as: user, values: invited(t, 100) }),
  'revoke-invitation': ofMember,
  'resend-invitation': ofMember,
  'revoke-invitation-link': linkOfMember,
  'update-message: Edit it when editing is off': async (scene) => ({
    as: scene.user,
    values: { message_id: await sent(scene), content: 'Edited.' },
  }),
  'update-message: Move it to another topic': (scene, t) => move(scene, { topic: t.unique('elsewhere') }),
  'update-message: Resolve its topic': async (scene, t) => {
    const topic = t.unique('done')
    const moved = await move(scene, {})
    await scene.user.must('update-message', { ...moved.values, topic })
    return { ...moved, values: { ...moved.values, topic: `✔ ${topic}`, propagate_mode: 'change_all' } }
  },
  'update-message: Move it to another channel': async (scene, t) => ({
    ...(await move(scene, { stream_id: (await t.channel(scene.user)).id })),
    channel: scene.channel,
  }),
  'delete-message': async (scene) => ({ as: scene.user, values: { message_id: await sent(scene) } }),
  'get-read-receipts: Ask when read receipts are off': async (scene) => ({
    as: scene.user,
    values: { message_id: await sent(scene) },
  }),
  'send-message: Start a topic': ({ user, channel }, t) => ({
    as: user,
    values: { type: 'stream', to: channel.id, topic: t.unique('new'), content: 'x' },
  }),
  'send-message: Start a conversation': async ({ user }, t) => ({
    as: user,
    values: { type: 'direct', to: [(await t.newUser()).userId], content: 'x' },
  }),
  'add-submessage: Vote in a poll': async (scene) => ({
    as: scene.user,
    values: {
      message_id: await sent(scene, '/poll Lunch?\nSoup\nBread'),
      msg_type: 'widget',
      content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
    },
  }),
  'create-channel: Make a private channel': ({ user }, t) => ({
    as: user,
    values: { name: t.unique('matrix'), subscribers: [user.userId], invite_only: true },
  }),
  'create-channel: Set how long messages are kept': ({ user }, t) => ({
    as: user,
    values: { name: t.unique('matrix'), subscribers: [user.userId], message_retention_days: 30 },
  }),
  'update-realm: Change a setting that only owners may change': ({ user }) => ({
    as: user,
    values: { message_retention_days: -1 },
  }),
  'update-settings: Change your name when names are locked': ({ user }, t) => ({
    as: user,
    values: { full_name: t.unique('Matrix') },
  }),
  'update-settings: Change your address when addresses are locked': ({ user }, t) => ({
    as: user,
    values: { email: `${t.unique('matrix').replaceAll(' ', '-')}@conformance.example` },
  }),
  'subscribe: Subscribe somebody else': async ({ user, channel }, t) => ({
    as: user,
    values: { subscriptions: [{ name: channel.name }], principals: [(await t.newUser()).userId] },
  }),
  'subscribe: Make a public channel': ({ user }, t) => ({ as: user, values: newChannel(t) }),
  'subscribe: Make a private channel': ({ user }, t) => ({ as: user, values: newChannel(t, { invite_only: true }) }),
  'subscribe: Subscribe to a private channel': async ({ user }, t) => {
    const channel = await t.deployment.newChannel(user, [], true)
    return { as: user, values: { subscriptions: [{ name: channel.name }] }, channel }
  },
  'unsubscribe: Unsubscribe somebody': async ({ user, other, channel }) => {
    await user.must('subscribe', { subscriptions: [{ name: channel.name }], principals: [other.userId] })
    return { as: user, values: { subscriptions: [channel.name], principals: [other.userId] } }
  },
  'update-user-group-members: Remove somebody': async (scene, t) => ({
    as: scene.user,
    values: { user_group_id: await memberOf(scene, t, [scene.other]), delete: [scene.other.userId] },
  }),
  'update-user-group-members: Join': async (scene, t, caller) => ({
    as: scene.user,
    values: { user_group_id: await memberOf(scene, t, []), add: [(caller ?? scene.user).userId] },
  }),
  'update-user-group-members: Leave': async (scene, t, caller) => ({
    as: scene.user,
    values: {
      user_group_id: await memberOf(scene, t, [caller ?? scene.user]),
      delete: [(caller ?? scene.user).userId],
    },
  }),
  'update-user-group-subgroups: Remove one': async (scene, t) => {
    const inner = await group(scene, t)
    const values = { user_group_id: await group(scene, t, { subgroups: [inner] }), delete: [inner] }
    return { as: scene.user, values }
  },
  'update-user: Make somebody an owner': async ({ user }, t) => ({
    as: user,
    values: { user_id_or_email: (await t.newUser()).userId, role: 100 },
  }),
  "update-user: Change somebody's address": async (_, t) => ({
    as: t.person('owner'),
    values: {
      user_id_or_email: (await t.newUser()).userId,
      new_email: `${t.unique('matrix').replaceAll(' ', '-')}@conformance.example`,
    },
  }),
  'deactivate-user: Deactivate an owner': async ({ user }, t) => ({
    as: user,
    values: { user_id_or_email: (await newPerson(t, 'owner'))?.userId },
  }),
  'deactivate-user: Delete messages of the account': async ({ user }, t) => ({
    as: user,
    values: {
      user_id_or_email: (await newPerson(t, 'member'))?.userId,
      actions: { delete_public_channel_messages: true },
    },
  }),
  'reactivate-user: Reactivate an owner': async ({ user }, t) => {
    const person = await newPerson(t, 'owner')
    await t.person('owner').must('deactivate-user', { user_id_or_email: person?.userId })
    return { as: user, values: { user_id: person?.userId } }
  },
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
