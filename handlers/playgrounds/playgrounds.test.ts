import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_PLAYGROUNDS } from '../../domain/limits.ts'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('playgrounds', (dialect) => {
  const parley = sharedParley(dialect)
  const values = (name: string) => ({ name, pygments_language: 'C++', url_template: 'https://c.example/?q={code}' })
  const register = (client: ApiClient) => client.must('POST', '/register', { event_types: ['realm_playgrounds'] })

  test('are refused with the parameter and a reason', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const given = values(server.unique('refused'))
    const { id } = await admin.must('POST', '/realm/playgrounds', given)
    for (const [change, errors] of [
      [{}, { __all__: ['A playground of this language and name already exists.'] }],
      [{ name: ` ${given.name} ` }, { __all__: ['A playground of this language and name already exists.'] }],
      [{ name: 'a\nb' }, { name: ['Invalid character in name, at position 2.'] }],
      [{ name: ' ' }, { name: ['name cannot be blank'] }],
      [{ pygments_language: ' ' }, { pygments_language: ['pygments_language cannot be blank'] }],
      [{ url_template: 'https://c.example/{code' }, { url_template: ['Invalid URL template.'] }],
      [{ url_template: 'javascript:{code}' }, { url_template: ['Invalid URL template.'] }],
      [{ url_template: '{+code}' }, { url_template: ['Invalid URL template.'] }],
      [
        { url_template: 'https://c.example/{cod}' },
        { url_template: ['Missing the required variable "code" in the URL template'] },
      ],
      [
        { url_template: 'https://c.example/{code}{?lang}' },
        { url_template: ['"code" should be the only variable present in the URL template'] },
      ],
    ] as const) {
      const { status, body } = await admin.post('/realm/playgrounds', { ...given, ...change })
      assert.deepEqual([status, body.errors], [400, errors])
    }
    const { body } = await admin.post('/realm/playgrounds', { ...given, pygments_language: 'a$b' })
    assert.equal(body.msg, 'Invalid characters in pygments language')
    const long = await admin.post('/realm/playgrounds', { ...given, pygments_language: 'a'.repeat(41) })
    assert.equal(long.body.msg, 'pygments_language is too long (limit: 40 characters)')
    await admin.must('DELETE', `/realm/playgrounds/${id}`)
    const gone = await admin.delete(`/realm/playgrounds/${id}`)
    assert.deepEqual([gone.status, gone.body.msg], [400, 'Invalid playground'])
    // Playgrounds may differ only in case or in language.
    for (const other of [{ name: given.name.toUpperCase() }, { pygments_language: 'c++' }]) {
      await admin.must('POST', '/realm/playgrounds', { ...given, ...other })
    }
  })

  test('are limited to a hundred (DIFF-PLAYGROUNDS)', async () => {
    const admin = (await parley()).as('admin')
    const many = Array.from({ length: MAX_PLAYGROUNDS + 1 }, (_, index) => values(`many ${index}`))
    const added = await Promise.all(many.map((playground) => admin.post('/realm/playgrounds', playground)))
    const refused = added.find(({ status }) => status !== 200)
    assert.equal(refused?.body.msg, `An organization has at most ${MAX_PLAYGROUNDS} playgrounds.`)
    assert.equal((await register(admin)).realm_playgrounds.length, MAX_PLAYGROUNDS)
  })
})
