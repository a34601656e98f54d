import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('DELETE /messages/{message_id}/reactions', (dialect) => {
  const parley = sharedParley(dialect)

  /**
   * Creates a message with thumbs_up reactions of its sender and another user. Returns how the sender removes theirs.
   */
  async function begin() {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const { id } = await member.must('POST', '/messages', { type: 'direct', to: [other.userId], content: 'x' })
    for (const one of [member, other]) {
      await one.must('POST', `/messages/${id}/reactions`, { emoji_name: 'thumbs_up' })
    }
    const remove = (parameters: Record<string, unknown>) => member.delete(`/messages/${id}/reactions`, parameters)
    const left = async () => {
      const { message } = await member.must('GET', `/messages/${id}`)
      return message.reactions.map((reaction: { user_id: number }) => reaction.user_id)
    }
    return { id, member, other, remove, left }
  }

  test('one’s own, by name, by another name, by code, by all of it', async () => {
    for (const parameters of [
      { emoji_name: 'thumbs_up' },
      { emoji_name: '+1' },
      { emoji_code: '1f44d' },
      { emoji_name: 'anything', emoji_code: '1f44d' },
      { emoji_name: 'thumbs_up', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
    ]) {
      const { other, remove, left } = await begin()
      const { status, body } = await remove(parameters)
      assert.deepEqual([status, body], [200, { result: 'success', msg: '' }], JSON.stringify(parameters))
      assert.deepEqual(await left(), [other.userId])
    }
  })

  test('what is not there, and what is no emoji', async () => {
    const { member, other, remove, left } = await begin()
    for (const [parameters, code, msg] of [
      [{ emoji_name: 'octopus' }, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."],
      [{ emoji_code: '1f419' }, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."],
      [{ emoji_code: '1f44d', reaction_type: 'realm_emoji' }, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."],
      [{ emoji_name: 'thumbs_up', reaction_type: 'realm_emoji' }, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."],
      [{ emoji_name: 'no_such' }, 'BAD_REQUEST', "Emoji 'no_such' does not exist"],
      [{ emoji_code: 'zzz' }, 'BAD_REQUEST', 'Invalid emoji code.'],
      [{ emoji_code: '1f44d', reaction_type: 'gif' }, 'BAD_REQUEST', 'Invalid emoji type.'],
      [{}, 'BAD_REQUEST', 'At least one of these parameters is needed: emoji_name, emoji_code'],
    ] as const) {
      const { status, body } = await remove(parameters)
      assert.deepEqual([status, body.code, body.msg], [400, code, msg], JSON.stringify(parameters))
    }
    assert.deepEqual(await left(), [member.userId, other.userId])
  })

  test('twice: the second finds nothing; adding again works', async () => {
    const { id, member, other, remove, left } = await begin()
    assert.equal((await remove({ emoji_name: 'thumbs_up' })).status, 200)
    assert.equal((await remove({ emoji_name: 'thumbs_up' })).body.code, 'REACTION_DOES_NOT_EXIST')
    await member.must('POST', `/messages/${id}/reactions`, { emoji_name: 'thumbs_up' })
    assert.deepEqual(await left(), [other.userId, member.userId])
  })
})
