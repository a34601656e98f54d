import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertRows } from '../../db/rows-testing.ts'
import { type ApiClient, onEachDatabase, ownParley, sharedParley } from '../../server/testing.ts'

async function reactions(client: ApiClient, id: number): Promise<unknown[]> {
  return (await client.must('GET', `/messages/${id}`)).message.reactions
}

const octopus = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' }

onEachDatabase('POST /messages/{message_id}/reactions', (dialect) => {
  const parley = sharedParley(dialect)

  test('a user who reacted without a subscription is told of later reactions', async () => {
    const server = await parley()
    const [owner, visitor, other] = [server.as('owner'), await server.newUser(), await server.newUser()]
    const { name } = await server.newChannel([owner])
    const id = await owner.send(name)
    const [ofVisitor, ofOther] = [await visitor.listen(['reaction']), await other.listen(['reaction'])]
    for (const method of ['POST', 'DELETE'] as const)
      for (const one of [visitor, owner]) await one.must(method, `/messages/${id}/reactions`, octopus)
    const steps = (events: { op: string; user_id: number }[]) => events.map(({ op, user_id }) => [op, user_id])
    assert.deepEqual(steps(await ofVisitor()), [
      ['add', visitor.userId],
      ['add', owner.userId],
      ['remove', visitor.userId],
    ])
    assert.deepEqual(await ofOther(), [])
  })

  test('the extra emoji: both names are accepted, the configured one is returned (REACT-FIELD-3, 6, 8; NOTE-13; DIFF-EXTRA-EMOJI)', async (t) => {
    for (const [wireValues, word] of [
      ['contract', 'service_extra_emoji'],
      ['clients', 'zulip_extra_emoji'],
    ] as const) {
      const server = await ownParley(t, dialect, { wireValues })
      const member = server.as('member')
      const queue = await member.listen(['reaction'])
      const expected = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: word }
      for (const given of [undefined, 'service_extra_emoji', 'zulip_extra_emoji']) {
        const id = await member.send('general')
        const emoji = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: given }
        await member.must('POST', `/messages/${id}/reactions`, emoji)
        assert.deepEqual(await reactions(member, id), [{ ...expected, user_id: member.userId }])
        await member.must('DELETE', `/messages/${id}/reactions`, { ...emoji, reaction_type: given ?? word })
        assert.deepEqual(await reactions(member, id), [])
      }
      const words = (await queue()).map((event: { reaction_type: string }) => event.reaction_type)
      assert.deepEqual(words, Array(6).fill(word))
    }
  })

  test('a message has at most 10,000 reactions, and removing one frees its place (DIFF-REACTIONS)', async () => {
    const server = await parley()
    const [member, other] = [server.as('member'), server.as('member2')]
    const id = await member.send('general')
    const filler = { message_id: id, user_id: member.userId, reaction_type: 'unicode_emoji', emoji_name: 'filler' }
    const rows = Array.from({ length: 9_999 }, (_, number) => ({ ...filler, emoji_code: `filler${number}` }))
    await server.inDatabase((session) => insertRows({ session }, 'reaction', rows))
    await member.must('POST', `/messages/${id}/reactions`, octopus)
    const refused = await other.post(`/messages/${id}/reactions`, octopus)
    assert.equal(refused.body.msg, 'A message has at most 10000 reactions.')
    const again = await member.post(`/messages/${id}/reactions`, octopus)
    assert.equal(again.body.code, 'REACTION_ALREADY_EXISTS')
    await member.must('DELETE', `/messages/${id}/reactions`, octopus)
    await other.must('POST', `/messages/${id}/reactions`, octopus)
  })

  test('a deactivated custom emoji can be added and removed where it is used', async (t) => {
    const server = await ownParley(t, dialect)
    const [member, other] = [server.as('member'), server.as('member2')]
    const row = { id: 7, author_id: member.userId, is_deactivated: false, is_animated: false }
    await server.inDatabase(({ knex }) => knex('custom_emoji').insert({ ...row, name: 'crab', file_name: '7.png' }))
    const [id, later] = [await member.send('general'), await member.send('general')]
    await member.must('POST', `/messages/${id}/reactions`, { emoji_name: 'crab' })
    await server.inDatabase(({ knex }) => knex('custom_emoji').update({ is_deactivated: true }))
    const own = { emoji_name: 'crab', emoji_code: '7', reaction_type: 'realm_emoji' }
    const refused = await other.post(`/messages/${later}/reactions`, own)
    assert.equal(refused.body.msg, 'This custom emoji has been deactivated.')
    await other.must('POST', `/messages/${id}/reactions`, own)
    await member.must('DELETE', `/messages/${id}/reactions`, { emoji_code: '7', reaction_type: 'realm_emoji' })
    assert.deepEqual(await reactions(member, id), [{ ...own, user_id: other.userId }])
  })
})
