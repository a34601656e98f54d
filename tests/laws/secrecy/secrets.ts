import { apart, type Twins } from './twins.ts'

/** Things that secrets are about and that stay as long as the twins. */
export interface Ground {
  readonly twins: Twins
  /** Private channels of `keeper` and one of two other people, a different one in each twin. */
  readonly channelIds: number[]
  /** Messages there, and direct ones. */
  readonly messageIds: number[]
  /** A message that everybody reads. */
  readonly openId: number
  /** Paths of files in secret messages, which have a random part. */
  readonly files: (readonly [string, string])[]
  count: number
  /** The newest person, until somebody has looked. */
  newcomer?: string | undefined
}

interface Secret {
  readonly name: string
  /** Administrators know of channels, of their subscribers, and of invitations. */
  readonly forAdministratorsToo: boolean
  keep(ground: Ground): Promise<void>
}

export const WORDS = ['alpha', 'beta'] as const
const word = (more = ''): unknown => apart(`${WORDS[0]}${more}`, `${WORDS[1]}${more}`)
const idsOf = (twins: Twins, ...people: string[]): number[] => people.map((one) => twins.idOf(one))

function secret(name: string, keep: Secret['keep'], forAdministratorsToo = true): Secret {
  return { name, keep, forAdministratorsToo }
}

async function channelOf(ground: Ground): Promise<number> {
  const known = ground.channelIds.at(-1)
  return known ?? makeChannel(ground, 'hidden plans')
}

async function makeChannel(
  ground: Ground,
  name: unknown,
  more: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const { twins } = ground
  const values = { name, subscribers: idsOf(twins, 'keeper', 'friend', 'other'), invite_only: true, ...more }
  const [{ id }] = await twins.must('keeper', 'POST', '/channels/create', values)
  ground.channelIds.push(id)
  return id
}

async function say(ground: Ground, content: unknown, topic: unknown = 'here'): Promise<number> {
  const to = await channelOf(ground)
  const [{ id }] = await ground.twins.must('keeper', 'POST', '/messages', { type: 'stream', to, topic, content })
  ground.messageIds.push(id)
  return id
}

/** Everything that somebody may do without `observer` knowing, in two ways. */
export const secrets: readonly Secret[] = [
  secret(
    'make a private channel',
    async (ground) => {
      ground.count += 1
      await makeChannel(ground, word(` plans ${ground.count}`), {
        description: word(' is what it is about'),
        subscribers: apart(idsOf(ground.twins, 'keeper', 'friend'), idsOf(ground.twins, 'keeper', 'other')),
        history_public_to_subscribers: apart(true, false),
        topics_policy: apart('inherit', 'allow_empty_topic'),
      })
    },
    false,
  ),
  secret(
    'change a private channel',
    async (ground) => {
      const id = await channelOf(ground)
      await ground.twins.must('keeper', 'PATCH', `/streams/${id}`, {
        description: word(' is new'),
        can_send_message_group: apart({ new: 6 }, { new: 7 }),
      })
    },
    false,
  ),
  secret(
    'archive a private channel',
    async (ground) => {
      await channelOf(ground) // what follows needs one that is not archived
      ground.count += 1
      const named = (which: string): Promise<number> => makeChannel(ground, `hidden ${which} ${ground.count}`)
      const [one, other] = [await named('one'), await named('other')]
      await ground.twins.must('keeper', 'DELETE', apart(`/streams/${one}`, `/streams/${other}`))
      ground.channelIds.splice(-2)
      ground.channelIds.unshift(one, other)
    },
    false,
  ),
  secret(
    'subscribe to a private channel',
    async (ground) => {
      const id = await channelOf(ground)
      const [one, other] = await ground.twins.must('keeper', 'GET', `/streams/${id}`)
      await ground.twins.must('keeper', 'DELETE', '/users/me/subscriptions', {
        subscriptions: apart([one.stream.name], [other.stream.name]),
        principals: apart(idsOf(ground.twins, 'friend'), idsOf(ground.twins, 'other')),
      })
    },
    false,
  ),
  secret('say something in a private channel', async (ground) => {
    await say(ground, word(' is said'), word(' matters'))
  }),
  secret('mention somebody who does not follow', async (ground) => {
    await say(ground, apart('@**Max Member** and @**Gus Guest**', '@**Mona Moderator** and @**Demo Bot**'))
  }),
  secret('write to somebody directly', async (ground) => {
    const { twins } = ground
    const to = apart(idsOf(twins, 'friend'), idsOf(twins, 'other'))
    const [{ id }] = await twins.must('keeper', 'POST', '/messages', { type: 'direct', to, content: word(' directly') })
    ground.messageIds.push(id)
  }),
  secret('edit a hidden message', async (ground) => {
    const id = await say(ground, 'to be edited')
    await ground.twins.must('keeper', 'PATCH', `/messages/${id}`, { content: word(' is edited') })
  }),
  secret('move a hidden message', async (ground) => {
    const id = await say(ground, 'to be moved')
    const quiet = { send_notification_to_new_thread: false, send_notification_to_old_thread: false }
    await ground.twins.must('keeper', 'PATCH', `/messages/${id}`, { topic: word(' is moved'), ...quiet })
  }),
  secret('change what somebody keeps rows about who has left the channel', async (ground) => {
    const { twins } = ground
    ground.count += 1
    const name = `left ${ground.count}`
    const stream_id = await makeChannel(ground, name, { subscribers: idsOf(twins, 'keeper', 'member', 'guest') })
    const topic = 'once known'
    const [id, other] = [await say(ground, 'once read', topic), await say(ground, 'once read, too', topic)]
    const scheduled_delivery_timestamp = 2_000_000_000
    for (const [who, visibility_policy] of [
      ['member', 1],
      ['guest', 3],
    ] as const) {
      const as = (path: string, values: Readonly<Record<string, unknown>>) => twins.must(who, 'POST', path, values)
      await as('/user_topics', { stream_id, topic, visibility_policy })
      await as('/messages/flags', { messages: [id, other], op: 'add', flag: 'starred' })
      await as('/reminders', { message_id: id, scheduled_delivery_timestamp })
      await as('/drafts', { drafts: [{ type: 'stream', to: [stream_id], topic, content: 'unsaid' }] })
      const later = { type: 'stream', to: stream_id, topic, content: 'later', scheduled_delivery_timestamp }
      await as('/scheduled_messages', later)
      await twins.must(who, 'DELETE', '/users/me/subscriptions', { subscriptions: [name] })
    }
    const quiet = { send_notification_to_new_thread: false, send_notification_to_old_thread: false }
    const renamed = { topic: word(' is its new name'), propagate_mode: 'change_all', ...quiet }
    await twins.must('keeper', 'PATCH', `/messages/${id}`, renamed)
    await twins.must('keeper', 'PATCH', `/messages/${other}`, { content: word(' is what it says now') })
    ground.channelIds.unshift(...ground.channelIds.splice(-1))
  }),
  secret(
    'speak where others follow only later',
    async (ground) => {
      const { twins } = ground
      await channelOf(ground) // what follows needs one that nobody else follows
      ground.count += 1
      const name = `late ${ground.count}`
      const can_create_topic_group = { direct_members: idsOf(twins, 'keeper'), direct_subgroups: [] }
      await makeChannel(ground, name, { history_public_to_subscribers: false, can_create_topic_group })
      await say(ground, 'first')
      const edited = await say(ground, word(' is said'), word(' matters'))
      const moved = await say(ground, 'to be moved')
      const [one, other] = [await say(ground, 'one'), await say(ground, 'other')]
      const path = await twins.upload('keeper', word('.txt'), apart('alpha is in it', 'beta is in it.'))
      ground.files.push(path)
      await say(ground, apart(`[file](${path[0]}) @**all**`, `[file](${path[1]})`))
      const principals = idsOf(twins, 'guest', 'member', 'moderator', 'bot')
      await twins.must('keeper', 'POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals })
      const quiet = { send_notification_to_new_thread: false, send_notification_to_old_thread: false }
      await twins.must('keeper', 'PATCH', `/messages/${edited}`, { content: word(' is edited') })
      await twins.must('keeper', 'PATCH', `/messages/${moved}`, { topic: word(' is moved'), ...quiet })
      await twins.must('keeper', 'POST', `/messages/${edited}/reactions`, { emoji_name: apart('octopus', 'tada') })
      await twins.must('keeper', 'DELETE', apart(`/messages/${one}`, `/messages/${other}`))
      await say(ground, 'to all')
      ground.channelIds.unshift(...ground.channelIds.splice(-1))
    },
    false,
  ),
  secret(
    'delete a hidden message',
    async (ground) => {
      const [one, other] = [await say(ground, 'one'), await say(ground, 'other')]
      await ground.twins.must('keeper', 'DELETE', apart(`/messages/${one}`, `/messages/${other}`))
    },
    false, // everybody who knows the channel gets an event about its first message
  ),
  secret('react to a hidden message', async (ground) => {
    const id = await say(ground, 'to be reacted to')
    await ground.twins.must('keeper', 'POST', `/messages/${id}/reactions`, { emoji_name: apart('octopus', 'tada') })
  }),
  secret('upload a file for a private channel', async (ground) => {
    const path = await ground.twins.upload('keeper', word('.txt'), apart('alpha is in it', 'beta is in it.'))
    ground.files.push(path)
    await say(ground, apart(`[file](${path[0]})`, `[file](${path[1]})`))
  }),
  secret('keep a draft', async ({ twins }) => {
    const draft = (to: number) => [{ type: 'private', to: [to], topic: '', content: 'soon' }]
    const drafts = apart(draft(twins.idOf('friend')), draft(twins.idOf('other')))
    await twins.must('keeper', 'POST', '/drafts', { drafts })
  }),
  secret('keep a snippet', async ({ twins }) => {
    await twins.must('keeper', 'POST', '/saved_snippets', { title: word(), content: word(' for later') })
  }),
  secret('let a message be sent later', async ({ twins }) => {
    const later = { type: 'direct', scheduled_delivery_timestamp: 2_000_000_000 }
    const to = apart(idsOf(twins, 'friend'), idsOf(twins, 'other'))
    await twins.must('keeper', 'POST', '/scheduled_messages', { ...later, to, content: word(' is sent later') })
  }),
  secret('be reminded', async ({ twins, openId }) => {
    const scheduled_delivery_timestamp = apart(2_000_000_000, 2_000_000_001)
    await twins.must('keeper', 'POST', '/reminders', { message_id: openId, scheduled_delivery_timestamp })
  }),
  secret('set what is one’s own', async ({ twins }) => {
    await twins.must('keeper', 'PATCH', '/settings', {
      color_scheme: apart(1, 2),
      web_home_view: apart('inbox', 'recent'),
      enable_sounds: apart(true, false),
    })
  }),
  secret('mute somebody', async ({ twins }) => {
    const paths = ['friend', 'other'].map((one) => `/users/me/muted_users/${twins.idOf(one)}`)
    for (const path of paths) await twins.may('keeper', 'DELETE', path) // from earlier
    await twins.must('keeper', 'POST', apart(paths[0], paths[1]))
  }),
  secret('keep alert words', async ({ twins }) => {
    await twins.must('keeper', 'POST', '/users/me/alert_words', { alert_words: apart(['alpha'], ['beta']) })
  }),
  secret('flag what everybody reads', async ({ twins, openId }) => {
    const flag = apart('starred', 'collapsed')
    await twins.must('keeper', 'POST', '/messages/flags', { messages: [openId], op: 'add', flag })
  }),
  secret('read without telling', async ({ twins, openId }) => {
    await twins.must('friend', 'PATCH', '/settings', { send_read_receipts: false })
    const op = apart('add', 'remove')
    await twins.must('friend', 'POST', '/messages/flags', { messages: [openId], op, flag: 'read' })
  }),
  secret('type to somebody', async ({ twins }) => {
    const to = apart(idsOf(twins, 'friend'), idsOf(twins, 'other'))
    await twins.must('keeper', 'POST', '/typing', { type: 'direct', op: 'start', to })
  }),
  secret('change a hidden address', async (ground) => {
    ground.count += 1
    await ground.twins.move('shy', word(`-${ground.count}@parley.example`))
  }),
  secret('come with a hidden address', async (ground) => {
    ground.count += 1
    ground.newcomer = `Newcomer ${ground.count}`
    await ground.twins.make(ground.newcomer, word(`-newcomer-${ground.count}@parley.example`))
  }),
  secret(
    'invite somebody',
    async (ground) => {
      ground.count += 1
      const invitee_emails = word(`-invited-${ground.count}@elsewhere.example`)
      await ground.twins.must('keeper', 'POST', '/invites', { invitee_emails, stream_ids: [] })
    },
    false,
  ),
  secret(
    'agree to an export',
    async ({ twins }) => {
      await twins.must('keeper', 'PATCH', '/settings', { allow_private_data_export: apart(true, false) })
    },
    false,
  ),
  secret('keep views at hand', async (ground) => {
    ground.count += 1
    const fragment = word(`/${ground.count}`)
    await ground.twins.must('keeper', 'POST', '/navigation_views', { fragment, is_pinned: true, name: word() })
  }),
  secret('follow a topic', async ({ twins }) => {
    const values = { stream_id: 1, topic: 'greetings', visibility_policy: apart(1, 3) }
    await twins.must('keeper', 'POST', '/user_topics', values)
  }),
]
