import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('organization setting require_unique_names (level 246, USER-UPD-15)', (dialect) => {
  const unique = sharedParley(dialect, {}, { require_unique_names: true })
  const usual = sharedParley(dialect)
  const taken = [400, 'BAD_REQUEST', 'Unique names required in this organization.']
  const refusal = async (call: ReturnType<ApiClient['post']>) => {
    const { status, body } = await call
    return [status, body.code, body.msg]
  }
  const account = (email: string, full_name: string) => ({ email, password: 'correct horse', full_name })

  test('the name of an active account is refused in any case: for new, renamed, reactivated and own accounts', async () => {
    const server = await unique()
    const [owner, user, other] = [server.as('owner'), await server.newUser('Rosa Lund'), await server.newUser()]
    for (const name of ['Rosa Lund', 'ROSA lund ']) {
      assert.deepEqual(await refusal(owner.post('/users', account('second@parley.example', name))), taken)
      assert.deepEqual(await refusal(owner.patch(`/users/${other.userId}`, { full_name: name })), taken)
      assert.deepEqual(await refusal(other.patch('/settings', { full_name: name })), taken)
    }
    await user.must('PATCH', '/settings', { full_name: 'ROSA LUND' })
    await owner.must('DELETE', `/users/${user.userId}`)
    await owner.must('POST', '/users', account('second@parley.example', 'Rosa Lund'))
    assert.deepEqual(await refusal(owner.post(`/users/${user.userId}/reactivate`)), taken)
    await owner.must('PATCH', `/users/${user.userId}`, { full_name: 'Rosa Berg' })
    await owner.must('POST', `/users/${user.userId}/reactivate`)
  })

  test('without it people may share names', async () => {
    const server = await usual()
    await server.newUser('Rosa Lund')
    await server.as('owner').must('POST', '/users', account('second@parley.example', 'Rosa Lund'))
  })
})
