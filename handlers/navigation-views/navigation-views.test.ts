import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_NAVIGATION_VIEWS } from '../../domain/limits.ts'
import { onEachDatabase, sharedParley } from '../../server/testing.ts'

const path = '/navigation_views'
const at = (fragment: string) => `${path}/${encodeURIComponent(fragment)}`

onEachDatabase('navigation views', (dialect) => {
  const parley = sharedParley(dialect)

  test('are kept under everything that may end an address, and only changes are announced', async () => {
    const user = await (await parley()).newUser()
    const heard = await user.listen(['navigation_view'])
    const view = { fragment: 'narrow/channel/1-ü/topic/100%25?', is_pinned: true, name: 'Plans' }
    await user.must('POST', path, { ...view, fragment: ` ${view.fragment} `, name: ' Plans' })
    await user.must('POST', path, { fragment: 'inbox', is_pinned: false })
    await user.must('POST', path, { fragment: 'INBOX', is_pinned: false, name: 'Shouting' })
    for (const _ of [1, 2]) await user.must('PATCH', at(view.fragment), { is_pinned: true, name: 'Plan' })
    await user.must('DELETE', at('INBOX'))
    const { navigation_views } = await user.must('GET', path)
    assert.deepEqual(navigation_views, [
      { fragment: 'inbox', is_pinned: false, name: null },
      { ...view, name: 'Plan' },
    ])
    assert.deepEqual(
      (await heard()).map(({ op, data }) => [op, data]),
      [
        ['add', undefined],
        ['add', undefined],
        ['add', undefined],
        ['update', { name: 'Plan' }],
        ['remove', undefined],
      ],
    )
  })

  test('are refused with a reason, and limited to a hundred (DIFF-VIEWS)', async () => {
    const user = await (await parley()).newUser()
    await user.must('POST', path, { fragment: 'inbox', is_pinned: false })
    for (const [values, msg] of [
      [{ fragment: ' ' }, 'fragment cannot be blank'],
      [{ fragment: '..' }, 'fragment cannot be . or ..'],
      [{ fragment: 'x'.repeat(192) }, 'fragment is too long (limit: 191 characters)'],
      [{ fragment: 'inbox' }, 'Navigation view already exists.'],
      [{ fragment: 'recent', name: 'Mine' }, 'Built-in views cannot have a custom name'],
      [{ fragment: 'narrow/x', name: ' ' }, 'name cannot be blank'],
      [{ fragment: 'narrow/x', name: 'x'.repeat(101) }, 'name is too long (limit: 100 characters)'],
    ] as const) {
      const { status, body } = await user.post(path, { is_pinned: true, ...values })
      assert.deepEqual([status, body.msg], [400, msg])
    }
    assert.equal((await user.patch(at('inbox'), { name: 'Mine' })).body.msg, 'Built-in views cannot have a custom name')
    assert.match((await user.patch(at('inbox'), {})).body.msg, /^Nothing to change/)
    for (const call of [user.patch(at('none'), {}), user.delete(at('none'))]) {
      const { status, body } = await call
      assert.deepEqual([status, body.code, body.msg], [404, 'BAD_REQUEST', 'Navigation view does not exist.'])
    }
    const answers = await Promise.all(
      Array.from({ length: MAX_NAVIGATION_VIEWS }, (_, index) =>
        user.post(path, { fragment: `narrow/${index}`, is_pinned: false }),
      ),
    )
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.msg)
    assert.deepEqual(refused, [`An account has at most ${MAX_NAVIGATION_VIEWS} navigation views.`])
  })
})
