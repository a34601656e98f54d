import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('users', (dialect) => {
  const parley = sharedParley(dialect)

  test('nobody of that name', async () => {
    const server = await parley()
    for (const name of [
      '99999',
      '99999999999999999999',
      '0',
      '-1',
      'x',
      'nobody@parley.example',
      'user1@elsewhere.example',
    ]) {
      const { status, body } = await server.as('guest').get(`/users/${name}`)
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'No such user'], name)
    }
  })

  const idsOf = (members: { user_id: number }[]): number[] => members.map((user) => user.user_id)

  test('an administrator is no owner', async () => {
    const server = await parley()
    const { members } = await server.as('guest').must('GET', '/users')
    const admin = members.find(({ user_id }: { user_id: number }) => user_id === server.as('admin').userId)
    assert.equal(admin.is_owner, false)
  })

  test('user_ids: those that exist, once, by id', async () => {
    const server = await parley()
    const [member, owner] = [server.as('member'), server.as('owner')]
    const got = async (user_ids: unknown) => idsOf((await member.must('GET', '/users', { user_ids })).members)
    assert.deepEqual(await got([member.userId, owner.userId, owner.userId, 99_999, -1]), [owner.userId, member.userId])
    assert.deepEqual(await got([]), [])
  })
})
