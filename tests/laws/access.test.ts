import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seed } from '../../conformance/seed-testing.ts'
import { fullOr } from '../../conformance/tier-testing.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'
import { checkAccess } from './access.ts'
import { Tally } from './tally.ts'

onEachDatabase('access', (dialect) => {
  const parley = sharedParley(dialect)

  test('show to each what they may see and nothing else', async () => {
    const tally = new Tally()
    await checkAccess(await parley(), tally, {
      seed,
      runs: fullOr(8, 4),
      narrowsARun: 5,
      actionsARun: 30,
      limitMs: 400_000,
    })
    console.log([`seed ${seed}`, ...tally.lines()].join('\n'))
    tally.check(['readable message', 'hidden message', 'hidden channel', 'history hidden'])
    tally.check(['move', 'resolve', 'edit', 'delete'])
  })

  test('hide from a later subscriber what was said before, to the very last message', async () => {
    const server = await parley()
    const [speaker, later] = [server.as('owner'), server.as('moderator')]
    for (const sharesHistory of [false, true]) {
      const name = server.unique('Closed')
      const subscriptions = [{ name }]
      await speaker.must('POST', '/users/me/subscriptions', {
        subscriptions,
        invite_only: true,
        history_public_to_subscribers: sharesHistory,
      })
      const send = async (content: string): Promise<number> =>
        (await speaker.must('POST', '/messages', { type: 'channel', to: name, topic: 'x', content })).id
      const before = await send('before')
      await speaker.must('POST', '/users/me/subscriptions', { subscriptions, principals: [later.userId] })
      const after = await send('after')
      const narrow = [{ operator: 'channel', operand: name }]
      const { messages } = await later.must('GET', '/messages', {
        narrow,
        anchor: 'newest',
        num_before: 9,
        num_after: 0,
      })
      const found = messages.map((message: { id: number }) => message.id)
      assert.deepEqual(found, sharesHistory ? [before, after] : [after])
      assert.equal((await later.get(`/messages/${before}`)).status, sharesHistory ? 200 : 400)
      assert.equal((await later.get(`/messages/${after}`)).status, 200)
    }
  })

  test('find in a narrow what a look at every message finds', async () => {
    const tally = new Tally()
    await checkAccess(await parley(), tally, {
      seed,
      runs: 2,
      narrowsARun: fullOr(300, 150),
      actionsARun: 80,
      limitMs: 400_000,
    })
    console.log([`seed ${seed}`, ...tally.lines()].join('\n'))
    tally.check(['narrow with messages', 'narrow without messages'])
  })
})
