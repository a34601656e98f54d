import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SYSTEM_GROUP_ID } from '../../domain/user-groups/system-groups.ts'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('DELETE /users/{user_id}, DELETE /users/me and POST /users/{user_id}/reactivate', (dialect) => {
  const parley = sharedParley(dialect)
  test('deletes the profile on request, and tells everybody', async () => {
    const server = await parley()
    const [admin, user, observer] = [server.as('admin'), await server.newUser(), server.as('guest')]
    const field = await admin.must('POST', '/realm/profile_fields', { name: server.unique('Town'), field_type: 1 })
    await user.must('PATCH', '/users/me/profile_data', { data: [{ id: field.id, value: 'Lisbon' }] })
    await user.must('POST', '/users/me/status', { status_text: 'here', emoji_name: 'tada', away: true })
    const others = await observer.listen(['realm_user', 'user_status'])
    await admin.must('DELETE', `/users/${user.userId}`, { actions: { delete_profile: true } })
    const path = `/users/${user.userId}`
    const known = (await observer.must('GET', path, { include_custom_profile_fields: true })).user
    const [full_name, email] = [`Deleted user ${user.userId}`, `deleteduser${user.userId}@127.0.0.1`]
    assert.deepEqual([known.full_name, known.delivery_email, known.profile_data], [full_name, email, {}])
    assert.deepEqual((await observer.must('GET', `${path}/status`)).status, {})
    const told = await others()
    const keys = told.flatMap((event: { person?: object }) => Object.keys(event.person ?? event))
    for (const key of ['is_active', 'full_name', 'new_email', 'custom_profile_field', 'status_text']) {
      assert.ok(keys.includes(key), key)
    }
    assert.ok(!JSON.stringify((await admin.must('GET', '/users')).members).includes(user.email))
  })

  test('G9: deletes the profile also if others have the placeholder address and name', async () => {
    const server = await parley()
    const [admin, user] = [server.as('admin'), await server.newUser()]
    const [name, local] = [`Deleted user ${user.userId}`, `deleteduser${user.userId}`]
    await admin.must('PATCH', '/realm', { require_unique_names: true })
    try {
      const others = [await server.newUser(name), await server.newUser()]
      for (const [index, { userId }] of others.entries()) {
        const email = `${local}${index === 0 ? '' : `-${index + 1}`}@127.0.0.1`
        await server.inDatabase(async (session) =>
          session.run('update user set email = ?, email_key = ? where id = ?', [email, email, userId]),
        )
      }
      await admin.must('DELETE', `/users/${user.userId}`, { actions: { delete_profile: true } })
      const known = (await admin.must('GET', `/users/${user.userId}`)).user
      assert.deepEqual([known.full_name, known.delivery_email], [name, `${local}-3@127.0.0.1`])
    } finally {
      await admin.must('PATCH', '/realm', { require_unique_names: false })
    }
  })

  test('deletes messages if the caller may delete those of others, and of owners only by owners', async () => {
    const server = await parley()
    const [owner, admin, user] = [server.as('owner'), server.as('admin'), await server.newUser()]
    await owner.must('PATCH', `/users/${user.userId}`, { role: 100 })
    const actions = { delete_direct_messages: true }
    const remove = (actor: ApiClient) => actor.delete(`/users/${user.userId}`, { actions })
    assert.equal((await remove(admin)).body.code, 'UNAUTHORIZED_PRINCIPAL')
    await owner.must('DELETE', `/users/${user.userId}`)
    assert.equal((await remove(admin)).body.code, 'UNAUTHORIZED_PRINCIPAL', 'of one that is deactivated already')
    const allow = (name: keyof typeof SYSTEM_GROUP_ID) =>
      owner.must('PATCH', '/realm', { can_delete_any_message_group: { new: SYSTEM_GROUP_ID[name] } })
    await allow('role:nobody')
    assert.equal((await remove(owner)).body.msg, 'Insufficient permission')
    await allow('role:administrators')
    assert.equal((await remove(owner)).status, 200)
  })

  test('the only owner cannot be deactivated', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const path = `/users/${owner.userId}`
    const kept = 'The owner permission cannot be removed from the only organization owner.'
    assert.equal((await owner.patch(path, { role: 200 })).body.msg, kept)
    const { body: only } = await owner.delete(path)
    assert.deepEqual([only.code, only.msg], ['BAD_REQUEST', 'Cannot deactivate the only organization owner'])
    const { status, body } = await owner.delete('/users/me')
    const msg = 'Cannot deactivate the only organization owner.'
    const last = { code: 'CANNOT_DEACTIVATE_LAST_USER', is_last_owner: true, entity: 'organization owner' }
    assert.deepEqual([status, body], [400, { result: 'error', msg, ...last }])
  })
})
