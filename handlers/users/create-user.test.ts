import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('POST /users', (dialect) => {
  const parley = sharedParley(dialect)
  let count = 0
  const account = (changes: Record<string, unknown> = {}) => {
    count += 1
    return { email: `new${count}@parley.example`, password: 'correct horse', full_name: 'New Person', ...changes }
  }

  test('administrators who may not create users are refused (ERR-22)', async () => {
    const { status, body } = await (await parley()).as('admin').post('/users', account())
    assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'User not authorized to create users'])
  })

  test('an address is taken in every case and form', async () => {
    const owner = (await parley()).as('owner')
    await owner.must('POST', '/users', account({ email: 'ünique@parley.example' }))
    for (const email of ['OWNER@parley.example', ' owner@PARLEY.example ', 'Ünique@parley.example']) {
      const { status, body } = await owner.post('/users', account({ email }))
      assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'Email is already in use.'], email)
    }
  })

  test('G9: nobody takes the placeholder of a hidden or deleted address (DIFF-RESERVED-ADDRESSES)', async () => {
    const server = await parley()
    const [owner, user] = [server.as('owner'), await server.newUser()]
    const short_name = server.unique('b').replaceAll(' ', '-')
    const bot = await owner.must('POST', '/bots', { full_name: server.unique('Bot'), short_name })
    for (const local of ['user7', 'User70', 'deleteduser7', 'DeletedUser700-2']) {
      const email = `${local}@127.0.0.1`
      const refused = [
        await owner.post('/users', account({ email })),
        await user.patch('/settings', { email }),
        await owner.patch(`/users/${user.userId}`, { new_email: email }),
        await owner.patch(`/users/${bot.user_id}`, { new_email: email }),
      ]
      for (const { status, body } of refused) {
        assert.deepEqual([status, body.code, body.msg], [400, 'BAD_REQUEST', 'Email is already in use.'], email)
      }
      const { body } = await owner.post('/invites', { invitee_emails: email, stream_ids: [] })
      assert.deepEqual([body.code, body.errors], ['INVITATION_FAILED', [[email, 'Already has an account.', false]]])
    }
    for (const email of ['user7@elsewhere.example', 'user@127.0.0.1', 'my-user7@127.0.0.1']) {
      await owner.must('PATCH', `/users/${user.userId}`, { new_email: email })
    }
  })

  test('of many simultaneous requests with one address one succeeds', async () => {
    const owner = (await parley()).as('owner')
    const wanted = account()
    const answers = await Promise.all(Array.from({ length: 5 }, () => owner.post('/users', wanted)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400, 400])
  })

  test('refuse invalid addresses, names and passwords, each with its reason', async () => {
    const owner = (await parley()).as('owner')
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ email: 'a@b@c' }, /e-mail address/],
      [{ full_name: 'A*B' }, /Invalid characters/],
      [{ password: '😀'.repeat(5) }, /^password is too short\.$/],
    ]
    for (const [changes, reason] of cases) {
      const { status, body } = await owner.post('/users', account(changes))
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'], JSON.stringify(changes))
      assert.match(body.msg, reason)
    }
  })

  test('the maximum length of everything is accepted', async () => {
    const owner = (await parley()).as('owner')
    const longest = [
      { full_name: 'ᾯ'.repeat(100) },
      { full_name: '😀'.repeat(100) },
      { password: 'p'.repeat(100) },
      { password: '😀'.repeat(100) },
      { email: `${'x'.repeat(64)}@${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(61)}` },
      { email: `${'ΐ'.repeat(32)}@${'ΐ'.repeat(30)}.${'ΐ'.repeat(30)}.${'ΐ'.repeat(30)}` },
    ]
    for (const changes of longest)
      assert.equal((await owner.post('/users', account(changes))).status, 200, JSON.stringify(changes))
  })
})
