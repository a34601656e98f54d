import { placeAt, uploadedPath } from '../acts/attachments.ts'
import { type Account, roleCodes } from '../deployment/account.ts'
import type { Channel } from '../deployment/leaving.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { fetched, post, postTo } from '../kernel/messaging.ts'
import { newPerson, peopleOfRoles } from '../kernel/people-of-roles.ts'
import { type Act, changesNothing, forbid, type Shown } from '../provocations/acts.ts'
import { actsOnChannel, actsOnMessage } from '../provocations/hidden.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'

const base = { area: 'Forbidden acts' } as const
const both = ['CONTRACT-FORBIDDEN', 'CONTRACT-HIDDEN']

export const checks: readonly Check[] = [
  {
    ...base,
    id: 'forbidden/hidden-messages',
    isCostly: true,
    title: 'a message that the caller may not see is treated as nonexistent by every operation',
    requirements: both,
    async run(t) {
      const [author, friend] = [await member(t), await member(t)]
      const leavers = await leaversOf(t)
      const followers = [friend, ...leavers]
      const channel = await t.channel(author, followers, true, { history_public_to_subscribers: false })
      const inChannel = await post(author, channel, 'plans', 'Nobody else knows.')
      await author.must('add-reaction', { message_id: inChannel, emoji_name: 'tada' })
      for (const one of leavers) await one.must('unsubscribe', { subscriptions: [channel.name] })
      const direct = await postTo(author, [friend], 'Only you and me.')
      const latecomer = await t.userIfAny()
      const strangers = [...(await strangersTo(t)), ...(await superiors(t)), ...leavers]
      const look = lookAt(friend, [inChannel, direct])
      await changesNothing(t, look, async () => {
        for (const id of [inChannel, direct]) await forbid(t, strangers, actsOnMessage(id))
      })
      if (latecomer === undefined) return
      // Somebody who joins a channel with protected history later cannot see it either.
      await author.must('subscribe', { subscriptions: [{ name: channel.name }], principals: [latecomer.userId] })
      await changesNothing(t, look, () => forbid(t, [latecomer], actsOnMessage(inChannel)))
    },
  },
  {
    ...base,
    id: 'forbidden/others-messages',
    title: 'nobody can edit or delete a message of another person',
    requirements: ['CONTRACT-FORBIDDEN'],
    async run(t) {
      const [author, other] = [await member(t), await member(t)]
      const guest = await newPerson(t, 'guest')
      const readers = guest === undefined ? [other] : [other, guest]
      const everybody = [...readers, ...(await superiors(t))]
      const channel = await t.channel(author, everybody)
      const ids = [
        await post(author, channel, 'mine', 'My own words.'),
        await postTo(author, everybody, 'My own words.'),
      ]
      const reaction = { emoji_name: 'octopus' }
      await author.must('add-reaction', { message_id: ids[0], ...reaction })
      const mayDelete = await othersMayDelete(author)
      await changesNothing(t, lookAt(author, ids), async () => {
        for (const message_id of ids) {
          const edits: Act[] = [
            { operation: 'update-message', values: { message_id, content: 'Your words.' } },
            // Only the person who reacted may remove it.
            { operation: 'remove-reaction', values: { message_id, ...reaction } },
          ]
          const deletion: Act = { operation: 'delete-message', values: { message_id } }
          await forbid(t, everybody, edits)
          if (!mayDelete) await forbid(t, readers, [deletion])
        }
      })
    },
  },
  {
    ...base,
    id: 'forbidden/hidden-channels',
    isCostly: true,
    title: 'a channel that the caller may not see is treated as nonexistent by every operation',
    requirements: both,
    async run(t) {
      const [author, friend] = [await member(t), await member(t)]
      const leavers = await leaversOf(t)
      const hidden = await t.channel(author, [friend, ...leavers], true)
      const open = await t.channel(author, [friend])
      for (const channel of [hidden, open]) await post(author, channel, 'plans', 'Nobody else knows.')
      for (const one of leavers) await one.must('unsubscribe', { subscriptions: [hidden.name] })
      const strangers = [...(await strangersTo(t)), ...leavers]
      const guests = strangers.filter(({ role }) => role === 'guest')
      const look = lookAtChannels(author, [hidden, open])
      const absentName = t.unique('conformance')
      await changesNothing(t, look, async () => {
        await forbid(t, strangers, actsOnChannel(hidden, 'plans', friend.userId, absentName))
        await forbid(t, strangers, joins(hidden.name, friend.userId))
        // Guests do not see public channels either.
        await forbid(t, guests, actsOnChannel(open, 'plans', friend.userId, absentName))
        await forbid(t, guests, joins(open.name, friend.userId))
      })
    },
  },
  {
    ...base,
    id: 'forbidden/others-channels',
    title: 'members cannot archive or change a channel of others, or unsubscribe others from it',
    requirements: ['CONTRACT-FORBIDDEN'],
    async run(t) {
      const [author, other] = [await member(t), await member(t)]
      const guest = await newPerson(t, 'guest')
      const followers = guest === undefined ? [other] : [other, guest]
      const channels = [await t.channel(author, followers), await t.channel(author, followers, true)]
      await changesNothing(t, lookAtChannels(author, channels), async () => {
        for (const { id, name } of channels) {
          await forbid(t, followers, [
            { operation: 'archive-stream', values: { stream_id: id } },
            { operation: 'update-stream', values: { stream_id: id, description: 'Theirs.' } },
            { operation: 'update-stream', values: { stream_id: id, is_private: false } },
            { operation: 'unsubscribe', values: { subscriptions: [name], principals: [author.userId] } },
          ])
        }
      })
    },
  },
  {
    ...base,
    id: 'forbidden/files',
    title: 'files of others can be neither read nor deleted',
    requirements: both,
    async run(t) {
      const [author, friend] = [await member(t), await member(t)]
      const path = await uploadedPath(author, t.unique('a secret'))
      await postTo(author, [friend], `[for you](${path})`)
      const files = await author.must('get-attachments')
      const place = placeAt(path)
      const [file_key = '', ...rest] = place.filename.split('/')
      const file_name = rest.join('/')
      const attachment_id: unknown = files.body.attachments.find(({ path_id: id }: { path_id: string }) =>
        path.endsWith(id),
      )?.id
      const absentKey = file_key.split('').reverse().join('')
      const deletion: Act = {
        operation: 'delete-attachment',
        values: { attachment_id },
        absent: { attachment_id: idOfNothing },
      }
      const look = async (): Promise<Shown[]> => {
        const [listed, file] = [await author.must('get-attachments'), await author.send({ method: 'GET', path })]
        return [
          { exchange: listed, content: listed.body.attachments },
          { exchange: file, content: file.text },
        ]
      }
      await changesNothing(t, look, async () => {
        await forbid(t, [friend], [deletion])
        await forbid(t, await strangersTo(t), [
          deletion,
          {
            operation: 'get-temporary-link',
            values: place,
            absent: { filename: `${absentKey}/${file_name}` },
          },
          {
            operation: 'get-uploaded-file',
            values: { realm_id_str: place.realm_id_str, file_key, file_name },
            absent: { file_key: absentKey },
          },
        ])
      })
    },
  },
  {
    ...base,
    id: 'forbidden/people',
    title: 'nobody can change their own role, and administrators can neither appoint nor demote owners',
    requirements: ['CONTRACT-FORBIDDEN'],
    async run(t) {
      const target = await t.newUser()
      const people = await peopleOfRoles(t)
      const owner = await newPerson(t, 'owner')
      const roleHolders = [...people.values()]
      const witness = t.person('administrator')
      const seen = ({ userId }: Account): Promise<Exchange> => witness.must('get-user', { user_id_or_email: userId })
      const look = async (): Promise<Shown[]> => {
        const own = await Promise.all([target, ...(owner ? [owner] : [])].map(seen))
        // Other checks may change other fields of shared people.
        const others = await Promise.all(roleHolders.map(seen))
        return [...own.map(whole), ...others.map((exchange) => ({ exchange, content: exchange.body.user.role }))]
      }
      const below = (['guest', 'member', 'moderator'] as const).flatMap((role) => people.get(role) ?? [])
      await changesNothing(t, look, async () => {
        for (const person of below) await forbid(t, [person], rolesFor(person.userId))
        const administrator = people.get('administrator')
        if (administrator !== undefined) await forbid(t, [administrator], actsOnOwners(administrator, target, owner))
      })
    },
  },
]

function rolesFor(user_id_or_email: number): Act[] {
  return Object.values(roleCodes).map((role) => ({ operation: 'update-user', values: { user_id_or_email, role } }))
}

/** Only owners may promote and demote owners. */
function actsOnOwners(administrator: Account, target: Account, owner: Account | undefined): Act[] {
  const promotions = [administrator, target].map(({ userId }) => userId)
  const ofOwner = owner === undefined ? [] : rolesFor(owner.userId).filter(({ values }) => values.role !== 100)
  return [
    ...promotions.map((id) => ({ operation: 'update-user', values: { user_id_or_email: id, role: 100 } })),
    ...ofOwner,
    ...(owner === undefined ? [] : [{ operation: 'deactivate-user', values: { user_id_or_email: owner.userId } }]),
  ]
}

/** A person for this check with the role member, and no higher one. */
async function member(t: CheckContext): Promise<Account> {
  const person = await t.user()
  if (person.role !== 'member') t.leaveOut('needs more people who are plain members')
  return person
}

/** People without access to what others share: somebody of the given role, a guest, and a bot. */
async function strangersTo(t: CheckContext, role: 'member' | 'administrator' = 'member'): Promise<Account[]> {
  const people = await peopleOfRoles(t)
  // Given accounts may have access, or own the bot.
  const made = [people.get(role), people.get('guest')].flatMap((person) => (person?.password ? person : []))
  if (made.length === 0) return [await member(t)]
  return [...made, ...t.deployment.given.filter((one) => one.isBot && one.role === 'member').slice(0, 1)]
}

/** Somebody to follow a channel and leave it, if there are enough people. */
async function leaversOf(t: CheckContext): Promise<Account[]> {
  const one = await t.userIfAny()
  return one?.role === 'member' ? [one] : []
}

/** Moderators, administrators and owners, who can neither read others' direct messages nor edit their messages. */
async function superiors(t: CheckContext): Promise<Account[]> {
  const people = await peopleOfRoles(t)
  return (['moderator', 'administrator', 'owner'] as const).flatMap((role) => {
    const person = people.get(role)
    return person?.password ? [person] : [] // given accounts may own the messages
  })
}

function joins(name: string, other: number): Act[] {
  const subscriptions = [{ name }]
  return [
    { operation: 'subscribe', values: { subscriptions } },
    { operation: 'subscribe', values: { subscriptions, principals: [other] } },
  ]
}

function whole(exchange: Exchange): Shown {
  return { exchange, content: exchange.body }
}

function lookAt(reader: Account, ids: readonly number[]): () => Promise<Shown[]> {
  return async () => (await Promise.all(ids.map((id) => fetched(reader, id, { apply_markdown: false })))).map(whole)
}

function lookAtChannels(follower: Account, channels: readonly Channel[]): () => Promise<Shown[]> {
  const views = ['get-stream', 'get-subscribers', 'get-stream-topics']
  return async () => {
    const looks = channels.flatMap(({ id: stream_id }) => views.map((view) => follower.must(view, { stream_id })))
    return (await Promise.all(looks)).map(whole)
  }
}

/** Whether anybody except administrators may delete messages of others (since level 281). */
async function othersMayDelete(account: Account): Promise<boolean> {
  const { body } = await account.must('register-queue', { fetch_event_types: ['realm', 'realm_user_groups'] })
  await account.call('delete-queue', { queue_id: body.queue_id })
  const setting: unknown = body.realm_can_delete_any_message_group
  if (setting === undefined) return false
  const group = body.realm_user_groups?.find(({ id }: { id: number }) => id === setting)
  return !['role:administrators', 'role:owners', 'role:nobody'].includes(group?.name)
}
