import type { Account, Values } from '../deployment/account.ts'
import type { Scene } from '../deployment/scene.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { minimumRoleAt, type Operation, type Parameter } from '../wire/contract.ts'
import { type Json, listOf } from '../wire/values.ts'

/** A request that succeeds, and who sends it. */
export interface ValidRequest {
  readonly as: Account
  readonly values: Values
  /** The whole answer, for an operation whose answer is not JSON and is known beforehand. */
  readonly answer?: string
}

type Maker = (scene: Scene, t: CheckContext) => Values | ValidRequest | Promise<Values | ValidRequest>

const fileText = 'a text'
const ownDraft = { type: '', to: [], topic: '', content: 'A draft of a conformance run.' }
const poll = JSON.stringify({ widget_type: 'poll', extra_data: { question: 'Which?', options: [] } })

/**
 * Parameters with which each operation succeeds, once; a second time may be refused. An operation that needs nothing and
 * harms nothing has no entry. Whoever sends is the scene's user, or an administrator where only that succeeds.
 */
const makers: Readonly<Record<string, Maker>> = {
  'fetch-api-key': async (_, t) => {
    const { email, password } = await t.newUser()
    return { username: email, password }
  },
  'register-queue': () => ({ event_types: ['message'], fetch_event_types: ['message'], idle_queue_timeout: undefined }),
  'get-events': async ({ user }) => ({ ...(await queueOf(user)), last_event_id: -1, dont_block: true }),
  'delete-queue': ({ user }) => queueOf(user),
  'send-message': ({ channel, topic }) => ({ type: 'stream', to: channel.id, topic, content: 'Another message.' }),
  'render-message': () => ({ content: '**bold**' }),
  'get-messages': ({ messageId }) => ({ anchor: messageId, num_before: 1, num_after: 1 }),
  'update-message-flags': ({ messageId }) => ({ messages: [messageId], op: 'add', flag: 'starred' }),
  'update-message-flags-for-narrow': ({ messageId }) => ({
    anchor: messageId,
    num_before: 0,
    num_after: 0,
    narrow: [],
    op: 'add',
    flag: 'starred',
  }),
  'check-messages-match-narrow': ({ messageId }) => ({ msg_ids: [messageId], narrow: [] }),
  'mark-stream-as-read': ({ channel }) => ({ stream_id: channel.id }),
  'mark-topic-as-read': ({ channel, topic }) => ({ stream_id: channel.id, topic_name: topic }),
  'get-message': ({ messageId }) => ({ message_id: messageId }),
  'add-reaction': async (scene) => ({ message_id: await newMessage(scene), emoji_name: 'octopus' }),
  'remove-reaction': async (scene) => {
    const values = { message_id: await newMessage(scene), emoji_name: 'octopus' }
    await scene.user.must('add-reaction', values)
    return values
  },
  'get-user': ({ other }) => ({ user_id_or_email: other.userId }),
  'create-user': async (_, t) => {
    const name = t.unique('Conformance Extra')
    const email = `${name.toLowerCase().replaceAll(' ', '-')}@conformance.example`
    return {
      as: t.deployment.userMaker ?? t.withoutUsers(),
      values: { email, password: 'four winds meet', full_name: name },
    }
  },
  'update-user': ({ other }) => ({ user_id_or_email: other.userId, full_name: other.fullName }),
  'deactivate-user': async (_, t) => ({ user_id_or_email: (await t.newUser()).userId }),
  'deactivate-own-user': async (_, t) => ({ as: await t.newUser(), values: {} }),
  'reactivate-user': async (_, t) => {
    const user = await t.newUser()
    await t.person('administrator').must('deactivate-user', { user_id_or_email: user.userId })
    return { user_id: user.userId }
  },
  'create-drafts': async ({ user, channel, topic }) => {
    await removeDrafts(user)
    return { drafts: [{ ...ownDraft, type: 'stream', to: [channel.id], topic }] }
  },
  'update-draft': async ({ user }) => ({ draft_id: await newDraft(user), draft: ownDraft }),
  'delete-draft': async ({ user }) => ({ draft_id: await newDraft(user) }),
  'update-own-status': () => ({ status_text: 'testing' }),
  'get-user-status': ({ other }) => ({ user_id: other.userId }),
  'update-user-status': ({ other }) => ({ user_id: other.userId, status_text: 'testing' }),
  'add-alert-words': () => ({ alert_words: ['conformance'] }),
  'remove-alert-words': () => ({ alert_words: ['conformance'] }),
  'mute-user': async (_, t) => ({ muted_user_id: (await t.newUser()).userId }),
  'unmute-user': async ({ user }, t) => {
    const values = { muted_user_id: (await t.newUser()).userId }
    await user.must('mute-user', values)
    return values
  },
  'update-presence': () => ({ status: 'active' }),
  'get-presence': async ({ other }) => {
    await other.must('update-presence', { status: 'active' })
    return { user_id_or_email: other.userId }
  },
  'update-settings': () => ({ starred_message_counts: true }),
  'update-notification-settings': () => ({ enable_sounds: true }),
  'update-display-settings': () => ({ starred_message_counts: true }),
  'create-user-group': ({ user }, t) => newGroup(user, t),
  'update-user-group-members': async ({ user, other }, t) => {
    // Nobody is in it yet: where there is only one account, it is the other one, too.
    const { body } = await user.must('create-user-group', { ...newGroup(user, t), members: [] })
    return { user_group_id: body.group_id, add: [other.userId] }
  },
  // What is set for everybody stays as it is.
  'update-realm': async ({ user }) => {
    const { body } = await user.must('register-queue', { event_types: [], fetch_event_types: ['realm'] })
    return { allow_message_editing: body.realm_allow_message_editing }
  },
  'update-bot-storage': () => ({ storage: { key: 'value' } }),
  'remove-bot-storage': () => ({}),
  subscribe: ({ channel }) => ({ subscriptions: [{ name: channel.name }] }),
  unsubscribe: async ({ user }, t) => ({ subscriptions: [(await t.channel(user)).name] }),
  // Guests may leave what they follow, while adding is for members, so only `delete` is open to the role in the
  // contract.
  'update-subscriptions': async ({ user }, t) => ({ delete: [(await t.channel(user)).name] }),
  'update-subscription-setting': ({ channel }) => ({ stream_id: channel.id, property: 'pin_to_top', value: true }),
  'update-subscription-settings': ({ channel }) => ({
    subscription_data: [{ stream_id: channel.id, property: 'pin_to_top', value: true }],
  }),
  'update-user-topic': ({ channel, topic }) => ({ stream_id: channel.id, topic, visibility_policy: 3 }),
  'mute-topic': async ({ user, channel }, t) => ({
    stream_id: channel.id,
    topic: t.unique(user.fullName).slice(-40),
    op: 'add',
  }),
  'get-stream': ({ channel }) => ({ stream_id: channel.id }),
  'get-stream-id': ({ channel }) => ({ stream: channel.name }),
  'get-stream-topics': ({ channel }) => ({ stream_id: channel.id }),
  'get-subscribers': ({ channel }) => ({ stream_id: channel.id }),
  'get-subscription-status': ({ user, channel }) => ({ user_id: user.userId, stream_id: channel.id }),
  'get-user-channels': ({ user }) => ({ user_id: user.userId }),
  'archive-stream': async ({ user }, t) => {
    const channel = await t.channel(user)
    t.deployment.forget(channel) // archived a second time, it would look like one that stays
    return { as: t.person('administrator'), values: { stream_id: channel.id } }
  },
  'update-message': ({ messageId }) => ({ message_id: messageId, content: 'Edited.' }),
  'delete-message': async (scene, t) => ({
    as: t.person('administrator'),
    values: { message_id: await newMessage(scene) },
  }),
  'get-message-history': ({ messageId }) => ({ message_id: messageId }),
  'get-read-receipts': ({ messageId }) => ({ message_id: messageId }),
  'add-submessage': async (scene) => ({ message_id: await newMessage(scene), msg_type: 'widget', content: poll }),
  'set-typing-status': ({ other }) => ({ op: 'start', type: 'direct', to: [other.userId] }),
  'set-typing-status-for-edit': ({ messageId }) => ({ message_id: messageId, op: 'start' }),
  'upload-file': () => ({ file: fileText }),
  'get-temporary-link': ({ user }) => newFile(user),
  'get-uploaded-file': async ({ user }) => {
    const { realm_id_str, filename } = await newFile(user)
    const [file_key, file_name] = filename.split('/')
    return { as: user, values: { realm_id_str, file_key, file_name }, answer: fileText }
  },
  'get-temporary-file': async ({ user }) => {
    const { body } = await user.must('get-temporary-link', await newFile(user))
    const [, , , expires_at, signature, realm_id_str, file_key, file_name] = String(body.url).split('/')
    const values = { expires_at, signature, realm_id_str, file_key, file_name }
    return { as: user, values, answer: fileText }
  },
  'get-static-file': () => ({ file_name: 'icon.png' }),
  'delete-attachment': async ({ user }) => {
    await user.must('upload-file', { file: fileText })
    const { body } = await user.must('get-attachments')
    return { attachment_id: body.attachments[0]?.id }
  },
}

/** @throws LeftOutError, through `t`, when the suite does not know how to make the operation succeed */
export async function validRequest(t: CheckContext, operation: Operation): Promise<ValidRequest> {
  const scene = await t.scene()
  const maker = makers[operation.id]
  const isHarmless = operation.method === 'GET' || operation.method === 'POST'
  if (maker === undefined && (!isHarmless || operation.parameters.some(({ required }) => required))) {
    t.leaveOut(`the suite does not know yet how ${operation.id} succeeds`)
  }
  const made = (await maker?.(scene, t)) ?? {}
  if (isRequest(made)) return made
  const minimumRole = minimumRoleAt(operation, t.level)
  const needsAdmin = minimumRole === 'administrator' || minimumRole === 'owner'
  return {
    as: needsAdmin ? t.person(minimumRole === 'owner' ? 'owner' : 'administrator') : scene.user,
    values: made,
  }
}

/** Parameters of GET /events that count beside `queue_id`; all others register an event queue where none is named. */
const ofPolling = new Set(['queue_id', 'last_event_id', 'dont_block'])

/** Values of a right request beside which `parameter` counts. */
export function besides({ id }: Operation, { name }: Parameter, values: Values): Values {
  if (id !== 'get-events' || ofPolling.has(name)) return values
  const { queue_id: _, last_event_id: __, ...others } = values
  return others
}

function isRequest(made: Values | ValidRequest): made is ValidRequest {
  return 'as' in made && 'values' in made
}

/** Those that were made here before: a given person may have drafts of their own. */
async function removeDrafts(user: Account): Promise<void> {
  const { body } = await user.must('get-drafts')
  const own = listOf(body.drafts).filter(({ content }: Json) => content === ownDraft.content)
  for (const { id } of own) await user.must('delete-draft', { draft_id: id })
}

async function newDraft(user: Account): Promise<number> {
  await removeDrafts(user)
  return (await user.must('create-drafts', { drafts: [ownDraft] })).body.ids[0]
}

async function queueOf(user: Account): Promise<{ queue_id: string }> {
  const { body } = await user.must('register-queue', { event_types: ['message'], fetch_event_types: ['message'] })
  return { queue_id: String(body.queue_id) }
}

function newGroup(user: Account, t: CheckContext): Values {
  return { name: t.unique(user.fullName).slice(-90), description: 'For the suite.', members: [user.userId] }
}

async function newMessage({ user, channel, topic }: Scene): Promise<number> {
  const values = { type: 'stream', to: channel.id, topic, content: 'One more message.' }
  return Number((await user.must('send-message', values)).body.id)
}

/** Where a text that `user` uploads is, as parameters of the operations that read it. */
async function newFile(user: Account): Promise<{ realm_id_str: string; filename: string }> {
  const { body } = await user.must('upload-file', { file: fileText })
  const [, , realm = '', ...name] = String(body.url ?? body.uri).split('/')
  return { realm_id_str: realm, filename: name.join('/') }
}
