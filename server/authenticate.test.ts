import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Database } from '../db/database.ts'
import { systemClock } from '../domain/clock.ts'
import type { ApiError } from '../domain/errors.ts'
import { ROLE } from '../domain/users/roles.ts'
import { toWireUser, type User } from '../domain/users/user.ts'
import { newApiKey, Secrets } from '../secrets/secrets.ts'
import { Authenticator } from './authenticate.ts'
import { basic, emptyDatabase, onEachDatabase, sharedParley } from './testing.ts'

onEachDatabase('authentication of calls', (dialect) => {
  const parley = sharedParley(dialect)

  async function called(authorization: string | undefined) {
    const { url } = await parley()
    const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization }
    const answer = await fetch(`${url}/api/v1/users/me`, { headers })
    const body: Record<string, unknown> = JSON.parse(await answer.text())
    return { status: answer.status, challenge: answer.headers.get('www-authenticate'), ...body } as Record<
      string,
      unknown
    >
  }

  test('address and key of people and bots (AUTH-1, AUTH-5)', async () => {
    const server = await parley()
    for (const key of Object.keys(server.credentials.users)) {
      const { email, apiKey, userId } = server.as(key)
      const answer = await called(basic(email, apiKey))
      assert.deepEqual([answer.status, answer.user_id], [200, userId], key)
    }
  })

  test('case of scheme and address, white space around both (AUTH-20)', async () => {
    const { email, apiKey } = (await parley()).as('member')
    for (const header of [
      basic(email.toUpperCase(), apiKey),
      basic(` ${email}\t`, ` ${apiKey}\n`),
      basic(email, apiKey).replace('Basic', 'basic'),
      basic(email, apiKey).replace('Basic ', 'BASIC   '),
      `${basic(email, apiKey)}  `,
      basic(email, apiKey).replace(/=+$/, ''),
    ]) {
      assert.equal((await called(header)).status, 200, header)
    }
    assert.equal((await called(basic(email, apiKey.toLowerCase()))).status, 401, 'keys have case')
  })

  test('none, and unreadable ones: 401 UNAUTHORIZED with a challenge (AUTH-2, AUTH-17)', async () => {
    const challenge = 'Basic realm="zulip"'
    const none = await called(undefined)
    assert.deepEqual(none, {
      status: 401,
      challenge,
      result: 'error',
      msg: 'Not logged in: API authentication or user session required',
      code: 'UNAUTHORIZED',
    })
    for (const header of ['', 'Basic', 'Basic ', 'Basic !!!', `Basic ${Buffer.from('no colon').toString('base64')}`]) {
      const answer = await called(header)
      assert.deepEqual([answer.status, answer.code, answer.challenge], [401, 'UNAUTHORIZED', challenge], header)
    }
  })

  test('another scheme: 400 that says which one', async () => {
    const { apiKey } = (await parley()).as('member')
    for (const header of [`Bearer ${apiKey}`, apiKey, 'Digest username="x"']) {
      const answer = await called(header)
      assert.deepEqual([answer.status, answer.code], [400, 'BAD_REQUEST'])
      assert.match(String(answer.msg), /HTTP basic authentication/)
    }
  })

  test('wrong, malformed and exchanged keys (AUTH-3, AUTH-4, AUTH-18, DIFF-401)', async () => {
    const server = await parley()
    const { email, apiKey } = server.as('member')
    const other = server.as('member2')
    for (const [header, msg] of [
      [basic(email, newApiKey()), 'Invalid API key'],
      [basic(email, other.apiKey), 'Invalid API key'],
      [basic('nobody@parley.example', apiKey), 'Invalid API key'],
      [basic('', apiKey), 'Invalid API key'],
      [basic(email, ''), 'Malformed API key'],
      [basic(email, `${apiKey}x`), 'Malformed API key'],
      [basic(email, 'ä'.repeat(32)), 'Malformed API key'],
      [basic(email, server.credentials.password), 'Malformed API key'],
      [basic(email, `x:${apiKey}`), 'Malformed API key'],
    ] as const) {
      const answer = await called(header)
      assert.deepEqual([answer.status, answer.code, answer.msg], [401, 'INVALID_API_KEY', msg])
    }
  })

  test('every operation that needs credentials refuses a call without them, whatever its parameters (AUTH-2)', async () => {
    const { url } = await parley()
    for (const [method, path] of [
      ['POST', '/register'],
      ['GET', '/events'],
      ['DELETE', '/events'],
      ['POST', '/messages'],
      ['GET', '/messages'],
      ['GET', '/messages/1'],
      ['GET', '/users'],
      ['POST', '/users'],
      ['GET', '/users/me'],
      ['GET', '/streams'],
      ['GET', '/users/me/subscriptions'],
      ['POST', '/users/me/subscriptions'],
    ] as const) {
      const answer = await fetch(`${url}/api/v1${path}?content=x&narrow=nonsense`, { method })
      assert.equal(answer.status, 401, `${method} ${path}`)
      assert.equal(JSON.parse(await answer.text()).code, 'UNAUTHORIZED')
    }
  })
})

onEachDatabase('Authenticator', (dialect) => {
  let location: Awaited<ReturnType<typeof emptyDatabase>>
  let db: Database
  let authenticator: Authenticator
  const secrets = new Secrets('a secret of more than thirty-two characters')

  before(async () => {
    location = await emptyDatabase(dialect)
    db = await Database.open(location.location, systemClock)
    authenticator = new Authenticator(db, secrets)
  })
  after(async () => {
    await db.close()
    await location.remove()
  })

  let count = 0
  async function newAccount(): Promise<{ user: User; apiKey: string; header: string }> {
    count += 1
    const apiKey = newApiKey()
    const email = `user${count}@parley.example`
    const user = await db.transaction((tx) =>
      tx.users.insert({
        email,
        fullName: `User ${count}`,
        role: ROLE.member,
        isBot: false,
        botOwnerId: null,
        canCreateUsers: false,
        dateJoined: 0,
        passwordHash: null,
        ...secrets.storedApiKey(apiKey),
      }),
    )
    assert.ok(user)
    return { user, apiKey, header: basic(email, apiKey) }
  }
  const change = async (user: User, columns: Record<string, unknown>, isTold: boolean) =>
    db.transaction(async (tx) => {
      await tx.session.knex('user').where('id', user.id).update(columns)
      if (isTold) {
        const person = toWireUser(user, { viewer: user, clientGravatar: false })
        tx.events.append({ type: 'realm_user', op: 'add', person }, { to: 'everyone' })
      }
    })
  const refused =
    (code: string, status = 401) =>
    (err: ApiError) =>
      err.code === code && err.status === status

  test('a deactivated account is refused: 401 USER_DEACTIVATED (AUTH-19)', async () => {
    const { user, header } = await newAccount()
    await change(user, { is_active: false }, false)
    await assert.rejects(authenticator.authenticate(header), refused('USER_DEACTIVATED'))
    await assert.rejects(authenticator.authenticate(basic(user.email, newApiKey())), refused('INVALID_API_KEY'))
  })

  describe('what is remembered', () => {
    test('is used: a change that the log does not tell is not seen', async () => {
      const { user, header } = await newAccount()
      await authenticator.authenticate(header)
      await change(user, { full_name: 'Other' }, false)
      assert.equal((await authenticator.authenticate(header)).fullName, user.fullName)
    })

    test('is forgotten the moment the log says that the account changed', async () => {
      const { user, apiKey, header } = await newAccount()
      const another = basic(user.email.toUpperCase(), apiKey)
      const [first, second] = [await authenticator.authenticate(header), await authenticator.authenticate(another)]
      assert.deepEqual(first, second)
      await change(user, { is_active: false }, true)
      await assert.rejects(authenticator.authenticate(header), refused('USER_DEACTIVATED'))
      await assert.rejects(authenticator.authenticate(another), refused('USER_DEACTIVATED'))
      await change(user, { is_active: true, role: ROLE.guest }, true)
      assert.equal((await authenticator.authenticate(header)).role, ROLE.guest)
    })

    test('a new key ends the old one at once', async () => {
      const { user, header } = await newAccount()
      await authenticator.authenticate(header)
      const { apiKeyHash, apiKeyEncrypted } = secrets.storedApiKey(newApiKey())
      await change(user, { api_key_hash: apiKeyHash, api_key_encrypted: apiKeyEncrypted }, true)
      await assert.rejects(authenticator.authenticate(header), refused('INVALID_API_KEY'))
    })

    test('a look-up that was under way when the account changed is not remembered', async () => {
      const { user, header } = await newAccount()
      const reader = db.read.credentials
      const lookUp = reader.byApiKeyHash
      reader.byApiKeyHash = async (hash) => {
        const credentials = await lookUp.call(reader, hash)
        await change(user, { is_active: false }, true)
        return credentials
      }
      try {
        await authenticator.authenticate(header)
      } finally {
        reader.byApiKeyHash = lookUp
      }
      await assert.rejects(authenticator.authenticate(header), refused('USER_DEACTIVATED'))
    })

    test('wrong keys are not: each is looked up', async () => {
      const { user, header } = await newAccount()
      const wrong = basic(user.email, newApiKey())
      await assert.rejects(authenticator.authenticate(wrong), refused('INVALID_API_KEY'))
      await authenticator.authenticate(header)
      await assert.rejects(authenticator.authenticate(wrong), refused('INVALID_API_KEY'))
    })

    test('SEC-MEM-4: one account with many spellings of its header pushes nobody else out', async () => {
      const [one, other] = [await newAccount(), await newAccount()]
      const isRemembered = async (header: string, { user }: { user: User }): Promise<boolean> => {
        await change(user, { full_name: 'Changed since' }, false)
        const { fullName } = await authenticator.authenticate(header)
        await change(user, { full_name: user.fullName }, false)
        return fullName === user.fullName
      }
      await authenticator.authenticate(other.header)
      await authenticator.authenticate(one.header)
      const spelled = (spaces: number): string => one.header.replace(' ', ' '.repeat(spaces))
      for (let spaces = 2; spaces <= 10; spaces += 1) await authenticator.authenticate(spelled(spaces))
      assert.deepEqual(
        [
          await isRemembered(one.header, one),
          await isRemembered(spelled(10), one),
          await isRemembered(other.header, other),
        ],
        [false, true, true],
      )
    })

    test('a padded header of any length works', async () => {
      const { user, apiKey } = await newAccount()
      for (let index = 0; index < 3; index++) {
        const header = basic(`${' '.repeat(5000 + index)}${user.email}`, apiKey)
        assert.equal((await authenticator.authenticate(header)).id, user.id)
      }
    })
  })

  test('a stolen database has no key in it, nor a password', async () => {
    const { apiKey } = await newAccount()
    const rows = await db.read.session.all('select * from user')
    const stored = JSON.stringify(rows)
    assert.ok(!stored.includes(apiKey))
    assert.ok(stored.includes(secrets.hashApiKey(apiKey)))
  })
})
