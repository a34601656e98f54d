import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('DELETE /messages/{message_id}/reactions', (dialect) => {
  const parley = sharedParley(dialect)

  test('one’s own is removed by any name of its emoji or by its code; otherwise the error says why not', async () => {
    const member = (await parley()).as('member')
    const { id } = await member.must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'x' })
    const path = `/messages/${id}/reactions`
    for (const parameters of [{ emoji_name: '+1' }, { emoji_name: 'anything', emoji_code: '1f44d' }]) {
      await member.must('POST', path, { emoji_name: 'thumbs_up' })
      await member.must('DELETE', path, parameters)
    }
    await member.must('POST', path, { emoji_name: 'thumbs_up' })
    const absent = ['REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."] as const
    for (const [parameters, code, msg] of [
      [{ emoji_name: 'octopus' }, ...absent],
      [{ emoji_code: '1f419' }, ...absent],
      [{ emoji_code: '1f44d', reaction_type: 'realm_emoji' }, ...absent],
      [{ emoji_name: 'thumbs_up', reaction_type: 'realm_emoji' }, ...absent],
      [{ emoji_name: 'no_such' }, 'BAD_REQUEST', "Emoji 'no_such' does not exist"],
      [{ emoji_code: 'zzz' }, 'BAD_REQUEST', 'Invalid emoji code.'],
      [{ emoji_code: '1f44d', reaction_type: 'gif' }, 'BAD_REQUEST', 'Invalid emoji type.'],
      [{}, 'BAD_REQUEST', 'At least one of these parameters is needed: emoji_name, emoji_code'],
    ] as const) {
      const { status, body } = await member.delete(path, parameters)
      assert.deepEqual([status, body.code, body.msg], [400, code, msg], JSON.stringify(parameters))
    }
    assert.equal((await member.must('GET', `/messages/${id}`)).message.reactions.length, 1)
  })
})
