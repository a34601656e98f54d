import { namesOf } from '../../acts/bots.ts'
import { newUserGroup } from '../../acts/user-groups.ts'
import { isStandIn } from '../../wire/values.ts'
import type { Cast } from './cast.ts'
import { type Deed, done, everybody, has, ofPerson } from './deed.ts'

export const peopleDeeds: readonly Deed[] = [
  {
    ...ofEverybody('a new user', async ({ t }) => {
      const { userId } = await t.newUser()
      // A guest who does not see everybody may be told of a stand-in, until they have a channel in common.
      return ({ type, op, person }) =>
        type === 'realm_user' && op === 'add' && person?.user_id === userId && !isStandIn(person)
    }),
    own: undefined,
  },
  renaming('by ID', ({ subject }) => subject.userId),
  { ...renaming('by address', ({ address }) => address), from: 313 },
  ofEverybody('a name that a user set for themselves', async ({ t, subject }) => {
    const full_name = t.unique('Heard')
    const answer = await subject.call('update-settings', { full_name })
    return done(answer, ofPerson(subject.userId, 'full_name', full_name))
  }),
  ofEverybody('a new time zone', async ({ subject }) => {
    const timezone = 'Asia/Tokyo'
    await subject.must('update-settings', { timezone })
    return ofPerson(subject.userId, 'timezone', timezone)
  }),
  ...[300, 600, 200, 400].map((role) =>
    ofEverybody(`the role ${role}`, async ({ admin, subject }) => {
      const steps = role === 200 ? [400, role] : [role]
      for (const one of steps) await admin.must('update-user', { user_id_or_email: subject.userId, role: one })
      return ofPerson(subject.userId, 'role', role)
    }),
  ),
  ofEverybody('a status', async ({ t, subject }) => {
    const status_text = t.unique('heard').slice(-50)
    await subject.must('update-own-status', { status_text })
    return has({ type: 'user_status', user_id: subject.userId, status_text })
  }),
  ofEverybody('a status with only an emoji', async ({ subject }) => {
    await subject.must('update-own-status', { status_text: '', emoji_name: 'octopus' })
    return has({ type: 'user_status', user_id: subject.userId, emoji_name: 'octopus' })
  }),
  {
    ...ofEverybody('a status that an administrator has set', async ({ t, admin, subject }) => {
      const status_text = t.unique('heard').slice(-50)
      const said = { status_text, emoji_name: 'palm_tree' }
      await admin.must('update-user-status', { user_id: subject.userId, ...said })
      return has({ type: 'user_status', user_id: subject.userId, ...said })
    }),
    from: 407,
  },
  ...['deactivate-user', 'reactivate-user'].map((operation) =>
    ofEverybody(`an account after ${operation}`, async ({ admin, subject }) => {
      const { userId } = subject
      await admin.must(operation, { user_id: userId, user_id_or_email: userId })
      return ofPerson(userId, 'is_active', operation === 'reactivate-user')
    }),
  ),
  ofEverybody('an account that its user deactivated', async ({ t }) => {
    const leaving = await t.newUser()
    await leaving.must('deactivate-own-user')
    return ofPerson(leaving.userId, 'is_active', false)
  }),
  ofEverybody('a new name of a bot', async ({ t, admin, bot }) => {
    if (bot === undefined) return undefined
    // The bot is a given account. Other runs rename it too, and an interrupted run may have left its name.
    const name = bot.fullName.replace(/ \(heard .*\)$/, '')
    const full_name = `${name} (${t.unique('heard')})`
    const answer = await admin.call('update-user', { user_id_or_email: bot.userId, full_name })
    await admin.call('update-user', { user_id_or_email: bot.userId, full_name: name })
    return done(answer, ofPerson(bot.userId, 'full_name', full_name))
  }),
  {
    name: 'a new bot’s settings',
    hears: ['actor', 'admin'],
    own: [],
    async does({ t, actor }) {
      const answer = await actor.call('create-bot', namesOf(t))
      return done(
        answer,
        ({ type, op, bot }) => type === 'realm_bot' && op === 'add' && bot?.user_id === answer.body.user_id,
      )
    },
  },
  {
    name: 'a consent to exports',
    from: 312,
    hears: ['admin'],
    async does({ actor }) {
      await actor.must('update-settings', { allow_private_data_export: true })
      return has({ type: 'realm_export_consent', user_id: actor.userId, consented: true })
    },
  },
  ofEverybody('a new user group', async (cast) => {
    const id = await groupOf(cast)
    return ({ type, op, group }) => type === 'user_group' && op === 'add' && group?.id === id
  }),
  ofEverybody('a new description of a user group', async (cast) => {
    const [group_id, description] = [await groupOf(cast), 'Those who listen.']
    await cast.admin.must('update-user-group', { user_group_id: group_id, description })
    return ({ type, op, group_id: id, data }) =>
      type === 'user_group' && op === 'update' && id === group_id && data?.description === description
  }),
  ...['add', 'remove'].map((change) =>
    ofEverybody(`members of a user group, ${change}`, async (cast) => {
      const [group_id, { admin, actor, stranger }] = [await groupOf(cast), cast]
      const member = change === 'add' ? stranger : actor
      const values = { [change === 'add' ? 'add' : 'delete']: [member.userId] }
      await admin.must('update-user-group-members', { user_group_id: group_id, ...values })
      return has({ type: 'user_group', op: `${change}_members`, group_id })
    }),
  ),
]

/** Id of a new group, whose only member is the actor. */
function groupOf({ t, admin, actor }: Cast): Promise<number> {
  return newUserGroup(admin, { name: t.unique('Heard'), description: '', members: [actor.userId] })
}

function renaming(how: string, who: (cast: Cast) => unknown): Deed {
  return ofEverybody(`another name, ${how}`, async (cast) => {
    const full_name = cast.t.unique('Heard')
    await cast.admin.must('update-user', { user_id_or_email: who(cast), full_name })
    return ofPerson(cast.subject.userId, 'full_name', full_name)
  })
}

function ofEverybody(name: string, does: Deed['does']): Deed {
  return { name, does, hears: everybody, own: [] }
}
