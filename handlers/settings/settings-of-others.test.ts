import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('PATCH /settings with target_users', (dialect) => {
  const parley = sharedParley(dialect)
  const settingsOf = async (user: ApiClient) =>
    (await user.must('POST', '/register', { fetch_event_types: ['user_settings'] })).user_settings

  test('values of an old account that differ from the defaults count as its own', async () => {
    const server = await parley()
    const [owner, old] = [server.as('owner'), await server.newUser()]
    await old.must('PATCH', '/settings', { color_scheme: 3 })
    await server.inDatabase(async (session) =>
      session.run('update user set edited_settings = null where id = ?', [old.userId]),
    )
    const target_users = { user_ids: [old.userId], skip_if_already_edited: true }
    await owner.must('PATCH', '/settings', { target_users, color_scheme: 2, high_contrast_mode: true })
    const { color_scheme, high_contrast_mode } = await settingsOf(old)
    assert.deepEqual([color_scheme, high_contrast_mode], [3, true])
  })

  test('is for active users, and not for personal settings (DIFF-TARGET-USERS)', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const target_users = { user_ids: [user.userId] }
    const before = await settingsOf(user)
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
