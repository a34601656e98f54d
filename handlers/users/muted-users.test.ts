import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('muted users', (dialect) => {
  const parley = sharedParley(dialect)
  const path = (id: number | string) => `/users/me/muted_users/${id}`

  test('refuse oneself, nobody, and what is done already', async () => {
    const server = await parley()
    const [user, other] = [await server.newUser(), await server.newUser()]
    const refusal = async (method: 'post' | 'delete', id: number | string) => (await user[method](path(id))).body.msg
    assert.equal(await refusal('post', user.userId), 'Cannot mute self')
    for (const method of ['post', 'delete'] as const) {
      for (const id of [99_999, '99999999999999999999']) assert.equal(await refusal(method, id), 'No such user')
    }
    assert.equal(await refusal('delete', other.userId), 'User is not muted')
    await user.must('POST', path(other.userId))
    assert.equal(await refusal('post', other.userId), 'User already muted')
  })
})
