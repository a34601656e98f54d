import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('PATCH /settings with target_users', (dialect) => {
  const parley = sharedParley(dialect)
  const settingsOf = async (user: ApiClient) =>
    (await user.must('POST', '/register', { fetch_event_types: ['user_settings'] })).user_settings

  test('those in groups within the groups have them too; where nobody is named nobody has', async () => {
    const server = await parley()
    const [owner, named, within] = [server.as('owner'), await server.newUser(), await server.newUser()]
    const group = async (members: number[], subgroups: number[] = []): Promise<number> =>
      (
        await owner.must('POST', '/user_groups/create', {
          ...{ name: server.unique('crew'), description: '', members, subgroups },
        })
      ).group_id
    const outer = await group([named.userId], [await group([within.userId])])
    const before = await settingsOf(owner)
    const target_users = { user_ids: [named.userId], group_ids: [outer] }
    await owner.must('PATCH', '/settings', { target_users, color_scheme: 2, web_home_view: 'all_messages' })
    for (const user of [named, within]) {
      const { color_scheme, web_home_view } = await settingsOf(user)
      assert.deepEqual([color_scheme, web_home_view], [2, 'all_messages'])
    }
    await owner.must('PATCH', '/settings/display', { target_users: {}, color_scheme: 3 })
    assert.deepEqual(await settingsOf(owner), before)
  })

  test('whoever has set something for themselves keeps it where that is asked for, whatever it is', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const [edited, back, untouched, old] = (await Promise.all([1, 2, 3, 4].map(() => server.newUser()))) as [
      ApiClient,
      ApiClient,
      ApiClient,
      ApiClient,
    ]
    await edited.must('PATCH', '/settings', { color_scheme: 3 })
    await back.must('PATCH', '/settings', { color_scheme: 3 })
    await back.must('PATCH', '/settings', { color_scheme: 1 })
    await old.must('PATCH', '/settings', { color_scheme: 3 })
    // As for accounts from before edited settings were recorded.
    await server.inDatabase(async (session) =>
      session.run('update user set edited_settings = null where id = ?', [old.userId]),
    )
    const user_ids = [edited, back, untouched, old].map(({ userId }) => userId)
    const give = (color_scheme: number, skip_if_already_edited: boolean) =>
      owner.must('PATCH', '/settings', {
        ...{ target_users: { user_ids, skip_if_already_edited }, color_scheme, high_contrast_mode: true },
      })
    const schemes = async () =>
      Promise.all([edited, back, untouched, old].map(async (user) => (await settingsOf(user)).color_scheme))
    await give(2, true)
    assert.deepEqual(await schemes(), [3, 1, 2, 3])
    assert.equal((await settingsOf(edited)).high_contrast_mode, true)
    await give(1, true)
    assert.deepEqual(await schemes(), [3, 1, 1, 3], 'what others gave is no edit')
    await give(2, false)
    assert.deepEqual(await schemes(), [2, 2, 2, 2])
  })

  test('is for administrators, of people who are there, and not of what is their own affair (DIFF-TARGET-USERS)', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const target_users = { user_ids: [user.userId] }
    const before = await settingsOf(user)
    for (const key of ['guest', 'member', 'moderator']) {
      const { body } = await server.as(key).patch('/settings', { target_users, color_scheme: 2 })
      assert.equal(body.code, 'UNAUTHORIZED_PRINCIPAL', key)
    }
    for (const [values, says] of [
      [{ target_users, full_name: 'Somebody else' }, /^full_name cannot be changed for others/],
      [{ target_users, new_password: 'four winds' }, /^new_password /],
      [{ target_users, allow_private_data_export: true }, /^allow_private_data_export /],
      [{ target_users, email_address_visibility: 1 }, /^email_address_visibility /],
      [{ target_users, enable_drafts_synchronization: false }, /^enable_drafts_synchronization /],
      [{ target_users: { user_ids: [user.userId, 999_999] }, color_scheme: 2 }, /^Invalid user ID: 999999$/],
      [{ target_users: { group_ids: [999_999] }, color_scheme: 2 }, /^Invalid user group$/],
    ] as const) {
      const { status, body } = await owner.patch('/settings', values)
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'], JSON.stringify(values))
      assert.match(body.msg, says)
    }
    assert.deepEqual(await settingsOf(user), before)
    const bot = server.as('bot').userId
    await owner.must('PATCH', '/settings', { target_users: { user_ids: [bot, user.userId] }, color_scheme: 2 })
    assert.equal((await settingsOf(user)).color_scheme, 2)
  })
})
