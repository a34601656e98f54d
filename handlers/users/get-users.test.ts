import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('GET /users', (dialect) => {
  const parley = sharedParley(dialect)
  const idsOf = (members: { user_id: number }[]): number[] => members.map((user) => user.user_id)

  test('what is said of each role', async () => {
    const server = await parley()
    const { members } = await server.as('guest').must('GET', '/users')
    const roles = ['owner', 'admin', 'moderator', 'member', 'guest'].map((key) => {
      const user = members.find(({ user_id }: { user_id: number }) => user_id === server.as(key).userId)
      return [user.role, user.is_owner, user.is_admin, user.is_guest]
    })
    assert.deepEqual(roles, [
      [100, true, true, false],
      [200, false, true, false],
      [300, false, false, false],
      [400, false, false, false],
      [600, false, false, true],
    ])
  })

  test('user_ids: those that exist, once, by id', async () => {
    const server = await parley()
    const [member, owner] = [server.as('member'), server.as('owner')]
    const got = async (user_ids: unknown) => idsOf((await member.must('GET', '/users', { user_ids })).members)
    assert.deepEqual(await got([member.userId, owner.userId, owner.userId, 99_999, -1]), [owner.userId, member.userId])
    assert.deepEqual(await got([]), [])
  })
})
