import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../domain/clock.ts'
import { MAX_INVITATIONS } from '../../domain/limits.ts'
import { type Answer, type ApiClient, onEachDatabase, sharedParley, type TestServer } from '../../server/testing.ts'

type Invite = Record<string, unknown> & { readonly id: number; readonly link_url: string; readonly email?: string }

onEachDatabase('invitations', (dialect) => {
  let now = Date.now()
  const parley = sharedParley(dialect, { clock: { ...systemClock, now: () => now } })
  const listed = async (client: ApiClient): Promise<Invite[]> => (await client.must('GET', '/invites')).invites
  const newEmail = (server: TestServer) =>
    `${server.unique('guest').toLowerCase().replaceAll(' ', '-')}@invited.example`
  const invite = async (client: ApiClient, email: string, more: object = {}): Promise<Invite> => {
    await client.must('POST', '/invites', { invitee_emails: email, stream_ids: [], ...more })
    return (await listed(client)).findLast((one) => one.email === email) as Invite
  }
  const keyOf = (link: string) => /\/join\/(\w{24})$/.exec(link)?.[1] ?? ''
  const join = (server: TestServer, link: string, more: object = {}) =>
    server.as('guest').post('/join', {
      invite_key: keyOf(link),
      full_name: server.unique('New Person'),
      password: 'four winds',
      ...more,
    })
  const listen = (client: ApiClient) => client.listen(['invites_changed'])
  const typesIn = async (events: () => Promise<Answer['body'][]>) => (await events()).map(({ type }) => type)

  test('by address have a link (DIFF-INVITATION-MAIL), are hidden from others (DIFF-INVITATION-SIGHT), and last longer after being resent', async () => {
    const server = await parley()
    const [member, other, admin] = [await server.newUser(), await server.newUser(), server.as('admin')]
    const heard = await listen(other)
    const [one, two] = [newEmail(server), newEmail(server)]
    const invitee_emails = `${one},\r\n  Ana Ruiz <${two}>,,`
    await member.must('POST', '/invites', { invitee_emails, stream_ids: [], invite_expires_in_minutes: 10 })
    const [first, second] = await listed(member)
    assert.ok(first && second)
    assert.deepEqual([first.email, second.email], [one, two])
    const { id, link_url } = first
    assert.ok(link_url.startsWith(`${server.url}/join/`))
    assert.ok((await listed(admin)).some((listed) => listed.id === id && listed.link_url === link_url))
    now += 60_000
    await admin.must('POST', `/invites/${id}/resend`)
    assert.equal((await listed(member))[0]?.expiry_date, Number(first.expiry_date) + 60)
    for (const path of [`/invites/${id}`, `/invites/${2 ** 40}`, `/invites/multiuse/${id}`]) {
      const { status, body } = await (path.includes('multiuse') ? member : other).delete(path)
      assert.deepEqual([status, body.code, body.msg], [404, 'BAD_REQUEST', 'No such invitation'])
    }
    await admin.must('DELETE', `/invites/${id}`)
    assert.equal((await join(server, link_url)).status, 404)
    assert.deepEqual([await listed(other), await heard()], [[], []])
  })

  test('accepted by POST /join (DIFF-JOINING), subscribe to channels and add to groups once, and name the inviter', async () => {
    const server = await parley()
    const [member, admin] = [await server.newUser(), server.as('admin')]
    const name = server.unique('Invited')
    const made = { name, subscribers: [member.userId], invite_only: true }
    const { id: hidden } = await member.must('POST', '/channels/create', made)
    const crew = { name: server.unique('G'), description: '', members: [member.userId] }
    const { group_id } = await member.must('POST', '/user_groups/create', crew)
    const email = newEmail(server)
    const terms = { stream_ids: [hidden], group_ids: [group_id] }
    const again = await invite(admin, email)
    const { link_url } = await invite(member, email, terms)
    const queue = await listen(admin)
    const wrong = await join(server, link_url, { email: newEmail(server) })
    assert.equal(wrong.body.msg, 'This invitation is for another e-mail address.')
    const { body, status } = await join(server, link_url, { email: email.toUpperCase() })
    assert.deepEqual([status, body.email], [200, email])
    const subscribed = `/users/${body.user_id}/subscriptions/${hidden}`
    assert.equal((await member.must('GET', subscribed)).is_subscribed, true)
    assert.deepEqual((await admin.must('GET', `/user_groups/${group_id}/members`)).members, [
      member.userId,
      body.user_id,
    ])
    // Both invitations of the address have ended, and both inviters get an event.
    assert.deepEqual(await listed(member), [])
    assert.equal((await join(server, again.link_url)).status, 404)
    assert.deepEqual(await typesIn(queue), ['invites_changed'])
    const newest = await member.newest([['is', 'dm']], { apply_markdown: true })
    assert.match(newest.at(-1).content, new RegExp(`data-user-id="${body.user_id}".* accepted your invitation`))
  })

  test('by link are for many, each with their own address, and subscribe to default channels', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const name = server.unique('Default')
    const { id } = await admin.must('POST', '/channels/create', { name, subscribers: [], is_default_stream: true })
    const { invite_link } = await admin.must('POST', '/invites/multiuse', { include_realm_default_subscriptions: true })
    assert.equal((await join(server, invite_link)).status, 400)
    const taken = await join(server, invite_link, { email: admin.email })
    assert.equal(taken.body.msg, 'Email is already in use.')
    const emails = [newEmail(server), newEmail(server)]
    for (const { status, body } of await Promise.all(emails.map((email) => join(server, invite_link, { email })))) {
      assert.equal(status, 200)
      assert.equal((await admin.must('GET', `/users/${body.user_id}/subscriptions/${id}`)).is_subscribed, true)
    }
    const link = (await listed(admin)).find((one) => one.link_url === invite_link)
    await admin.must('DELETE', `/invites/multiuse/${link?.id}`)
    const { body: twice } = await admin.delete(`/invites/multiuse/${link?.id}`)
    assert.equal(twice.msg, 'Invitation has already been revoked')
  })

  test('by address create one account, however many accept at once, and none after a revocation', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const { link_url } = await invite(admin, newEmail(server))
    const statuses = (await Promise.all([1, 2, 3].map(() => join(server, link_url)))).map(({ status }) => status)
    assert.deepEqual(statuses.toSorted(), [200, 404, 404])
    const other = await invite(admin, newEmail(server))
    const [joined] = await Promise.all([join(server, other.link_url), admin.delete(`/invites/${other.id}`)])
    const { members } = await admin.must('GET', '/users')
    const isThere = members.some((one: { delivery_email: string }) => one.delivery_email === other.email)
    assert.equal(isThere, joined.status === 200)
    assert.equal((await join(server, other.link_url)).status, 404)
  })

  test('by address end when an account takes it', async () => {
    const server = await parley()
    const owner = server.as('owner')
    const [member, changed] = [await server.newUser(), await server.newUser()]
    const ways: ((email: string) => Promise<unknown>)[] = [
      (email) => owner.must('POST', '/users', { email, full_name: server.unique('Made'), password: 'a long password' }),
      (email) => owner.must('PATCH', `/users/${changed.userId}`, { new_email: email }),
      (email) => member.must('PATCH', '/settings', { email }),
    ]
    for (const give of ways) {
      const email = newEmail(server)
      await invite(owner, email)
      const heard = await owner.listen(['invites_changed'])
      await give(email)
      assert.deepEqual(
        (await listed(owner)).filter((one) => one.email === email),
        [],
      )
      assert.deepEqual(await heard(), [{ type: 'invites_changed' }])
    }
  })

  test('refuse addresses that cannot be invited, and name existing accounts', async () => {
    const server = await parley()
    const [member, admin] = [await server.newUser(), server.as('admin')]
    const gone = await server.newUser()
    await admin.must('DELETE', `/users/${gone.userId}`)
    const send = async (invitee_emails: string, more = {}) =>
      (await member.post('/invites', { invitee_emails, stream_ids: [], ...more })).body
    const fresh = newEmail(server)
    assert.deepEqual((await send(`${fresh},nobody`)).errors, [['nobody', 'Invalid address.', false]])
    assert.deepEqual(await listed(member), [])
    assert.deepEqual((await send(`${gone.email}\n${fresh}\n${admin.email}`)).errors, [
      [gone.email, 'Account has been deactivated.', true],
      [admin.email, 'Already has an account.', false],
    ])
    assert.equal((await send(admin.email)).sent_invitations, false)
    assert.equal((await send('')).msg, 'You must specify at least one email address.')
    assert.equal((await send(' ,\n')).result, 'success')
    const nowhere = await send(newEmail(server), { stream_ids: [2 ** 40] })
    assert.equal(nowhere.msg, `Invalid channel ID ${2 ** 40}. No invites were sent.`)
    const name = server.unique('Secret')
    const { id } = await admin.must('POST', '/channels/create', { name, subscribers: [], invite_only: true })
    const hidden = await send(newEmail(server), { stream_ids: [id] })
    assert.equal(hidden.msg, `Invalid channel ID ${id}. No invites were sent.`)
    assert.equal((await send(newEmail(server), { group_ids: [2] })).msg, 'Insufficient permission')
    const crowd = Array.from({ length: 201 }, () => newEmail(server)).join()
    const many = await send(crowd, { stream_ids: Array.from({ length: 100 }, (_, index) => index + 1) })
    assert.equal(many.msg, 'Too many subscriptions at once (maximum 20000, principals times channels).')
  })

  test('grant no more than the inviter has, at creation and at acceptance', async () => {
    const server = await parley()
    const [owner, admin, chief] = [server.as('owner'), server.as('admin'), await server.newUser()]
    await owner.must('PATCH', `/users/${chief.userId}`, { role: 200 })
    const ofOwner = await invite(owner, newEmail(server), { invite_as: 100 })
    assert.equal((await listed(admin)).find((one) => one.id === ofOwner.id)?.link_url, '')
    const { link_url } = await invite(chief, newEmail(server), { invite_as: 200 })
    const { invite_link } = await chief.must('POST', '/invites/multiuse', { invite_as: 400 })
    await owner.must('PATCH', `/users/${chief.userId}`, { role: 400 })
    assert.equal((await join(server, link_url)).status, 404)
    assert.deepEqual(
      (await listed(chief)).map((one) => one.link_url),
      ['', invite_link],
    )
    assert.equal((await join(server, invite_link, { email: newEmail(server) })).status, 200)
    const queue = await listen(admin)
    await admin.must('DELETE', `/users/${chief.userId}`)
    assert.deepEqual(await typesIn(queue), ['invites_changed'])
    assert.equal((await join(server, invite_link, { email: newEmail(server) })).status, 404)
    assert.ok((await listed(admin)).every((one) => one.invited_by_user_id !== chief.userId))
  })

  test('are limited to five hundred for each account (DIFF-INVITATIONS), and expire', async () => {
    const server = await parley()
    const member = await server.newUser()
    const emails = Array.from({ length: MAX_INVITATIONS }, () => newEmail(server)).join()
    const send = (invitee_emails: string, more = {}) =>
      member.post('/invites', { invitee_emails, stream_ids: [], invite_expires_in_minutes: 1, ...more })
    assert.equal((await send(emails)).status, 200)
    const more = await send(newEmail(server))
    assert.equal(more.body.msg, `An account has at most ${MAX_INVITATIONS} open invitations.`)
    const [first] = await listed(member)
    now += 60_000
    assert.deepEqual(await listed(member), [])
    assert.equal((await join(server, first?.link_url ?? '')).status, 404)
    assert.equal((await member.delete(`/invites/${first?.id}`)).status, 404)
    assert.equal((await send(newEmail(server))).status, 200)
  })

  test('have a page with a form behind the link, which reveals nothing about an expired one', async () => {
    const server = await parley()
    const admin = server.as('admin')
    const { id, link_url, email } = await invite(admin, newEmail(server))
    const page = await fetch(link_url)
    const { headers } = page
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*script-src 'sha256-/)
    assert.ok((await page.text()).includes(`value="${email}"`))
    await admin.must('DELETE', `/invites/${id}`)
    assert.ok(!(await (await fetch(link_url)).text()).includes(String(email)))
    assert.equal((await fetch(`${link_url}/`)).status, 404)
  })
})
