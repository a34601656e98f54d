import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertRows } from '../../db/rows-testing.ts'
import { MAX_EMAIL_DOMAINS } from '../../domain/users/email-domains.ts'
import { type ApiClient, onEachDatabase, sharedParley } from '../../server/testing.ts'

onEachDatabase('email domains', (dialect) => {
  const parley = sharedParley(dialect)
  const add = async (user: ApiClient, domain: string, allow_subdomains = false) => {
    const { body } = await user.post('/realm/domains', { domain, allow_subdomains })
    return body.new_domain?.[1] ?? [body.code, body.msg]
  }
  const domainsFor = async (user: ApiClient) => (await user.must('GET', '/realm/domains')).domains

  test('are stored in one form, and refused if invalid', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const before = await domainsFor(owner)
    for (const [domain, outcome] of [
      ['  Words.EXAMPLE ', 'words.example'],
      ['bücher.example', 'bücher.example'],
      ['words.example', ['BAD_REQUEST', 'The domain words.example is already a part of your organization.']],
      [' ', ['BAD_REQUEST', "Invalid domain: Domain can't be empty."]],
      ['localhost', ['BAD_REQUEST', 'Invalid domain: Domain must have at least one dot (.)']],
      ['.example', ['BAD_REQUEST', "Invalid domain: '.example' is no domain."]],
      ['a..example', ['BAD_REQUEST', "Invalid domain: 'a..example' is no domain."]],
      ['-a.example', ['BAD_REQUEST', "Invalid domain: '-a.example' is no domain."]],
      ['a b.example', ['BAD_REQUEST', "Invalid domain: 'a b.example' is no domain."]],
    ] as const) {
      assert.deepEqual(await add(owner, domain), outcome, domain)
    }
    const none = '/realm/domains/none.example'
    for (const call of [owner.delete(none), owner.patch(none, { allow_subdomains: true })])
      assert.equal((await call).body.msg, 'No entry found for domain none.example.')
    await owner.must('DELETE', '/realm/domains/WORDS.example')
    await owner.must('DELETE', `/realm/domains/${encodeURIComponent('bücher.example')}`)
    assert.deepEqual(await domainsFor(server.as('guest')), before)
  })

  test('restrict the addresses of new accounts until the last one is removed', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const heard = await owner.listen(['realm'])
    const create = async (email: string) => {
      const name = server.unique('Restricted')
      return (await owner.post('/users', { email, full_name: name, password: 'four winds meet' })).status
    }
    const own = await server.newUser()
    await owner.must('PATCH', '/realm', { emails_restricted_to_domains: true })
    assert.equal(await create('early@ours.example'), 400, 'no domain has been added yet')
    await add(owner, 'ours.example')
    await add(owner, 'wide.example', true)
    for (const [email, status] of [
      ['one@elsewhere.example', 400],
      ['one@sub.ours.example', 400],
      ['one@xwide.example', 400],
      ['one+two@ours.example', 400],
      ['one@OURS.example', 200],
      ['one@a.b.wide.example', 200],
    ] as const) {
      assert.equal(await create(email), status, email)
    }
    assert.equal((await own.patch('/settings', { email: 'two@elsewhere.example' })).status, 400)
    await own.must('PATCH', '/settings', { email: 'two@ours.example' })
    await owner.must('DELETE', '/realm/domains/ours.example')
    assert.equal(await create('three@ours.example'), 400)
    await owner.must('DELETE', '/realm/domains/wide.example')
    assert.equal(await create('three@ours.example'), 200)
    const told = (await heard()).map(({ property, value }) => [property, value])
    assert.deepEqual(told, [
      ['emails_restricted_to_domains', true],
      ['emails_restricted_to_domains', false],
    ])
  })

  test('are limited to a thousand', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const rows = Array.from({ length: MAX_EMAIL_DOMAINS }, (_, number) => {
      return { domain: `many${number}.example`, allow_subdomains: false }
    })
    await server.inDatabase((session) => insertRows({ session }, 'email_domain', rows))
    assert.deepEqual(await add(owner, 'more.example'), ['BAD_REQUEST', 'An organization has at most 1000 domains.'])
  })
})
