import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Database } from '../db/database.ts'
import { plainUser } from '../db/rows-testing.ts'
import type { ApiError } from '../domain/errors.ts'
import { ROLE } from '../domain/users/roles.ts'
import { toWireUser, type User } from '../domain/users/user.ts'
import { newApiKey, Secrets } from '../secrets/secrets.ts'
import { Authenticator } from './authenticate.ts'
import { fileCleanup } from './process-testing.ts'
import { basic, onEachDatabase, openDatabase } from './testing.ts'

onEachDatabase('Authenticator', (dialect) => {
  const cleanup = fileCleanup()
  let db: Database
  let authenticator: Authenticator
  const secrets = new Secrets('a secret of more than thirty-two characters')

  before(async () => {
    db = (await openDatabase(cleanup, dialect)).db
    authenticator = new Authenticator(db, secrets)
  })

  let count = 0
  async function newAccount(name = 'user'): Promise<{ user: User; apiKey: string; header: string }> {
    count += 1
    const apiKey = newApiKey()
    const account = { ...plainUser(`${name}${count}`), ...secrets.storedApiKey(apiKey) }
    const user = await db.transaction((tx) => tx.users.insert(account))
    assert.ok(user)
    return { user, apiKey, header: basic(account.email, apiKey) }
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

  // Right and wrong keys and addresses: conformance, authentication/*.
  test('the scheme is read in any case, with white space around it and without padding', async () => {
    const { user, header } = await newAccount()
    for (const right of [header.replace('Basic ', 'basic   '), `${header}  `, header.replace(/=+$/, '')]) {
      assert.equal((await authenticator.authenticate(right)).id, user.id, right)
    }
  })

  test('the address is in UTF-8 or Latin-1', async () => {
    const { user, apiKey, header } = await newAccount('jörg')
    const latin1 = `Basic ${Buffer.from(`${user.email}:${apiKey}`, 'latin1').toString('base64')}`
    for (const right of [header, latin1]) assert.equal((await authenticator.authenticate(right)).id, user.id)
  })

  test('invalid credentials are refused, each in its way (DIFF-401)', async () => {
    const none = `Basic ${Buffer.from('no colon').toString('base64')}`
    const [missing, unread] = ['Not logged in: API authentication or user session required', undefined]
    for (const [header, message] of [
      ...[['', missing] as const, ['Basic', unread] as const, ['Basic !!!', unread] as const, [none, unread] as const],
      ['Bearer x', 'This endpoint requires HTTP basic authentication.'] as const,
    ]) {
      const code = header.startsWith('Bearer') ? 'BAD_REQUEST' : 'UNAUTHORIZED'
      await assert.rejects(authenticator.authenticate(header), { code, ...(message && { message }) }, header)
    }
  })

  describe('remembered credentials', () => {
    test('are used: a change without an event is not noticed', async () => {
      const { user, header } = await newAccount()
      await authenticator.authenticate(header)
      await change(user, { full_name: 'Other' }, false)
      assert.equal((await authenticator.authenticate(header)).fullName, user.fullName)
    })

    test('are forgotten at the event about a change of the account', async () => {
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

    test('are not those looked up while the account changed', async () => {
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

    test('are not wrong keys: each is looked up', async () => {
      const { user, header } = await newAccount()
      const wrong = basic(user.email, newApiKey())
      await assert.rejects(authenticator.authenticate(wrong), refused('INVALID_API_KEY'))
      await authenticator.authenticate(header)
      await assert.rejects(authenticator.authenticate(wrong), refused('INVALID_API_KEY'))
    })

    test('SEC-MEM-4: one account with many spellings of its header displaces nobody else', async () => {
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

  test('a stolen database contains neither API keys nor passwords', async () => {
    const { apiKey } = await newAccount()
    const rows = await db.read.session.all('select * from user')
    const stored = JSON.stringify(rows)
    assert.ok(!stored.includes(apiKey))
    assert.ok(stored.includes(secrets.hashApiKey(apiKey)))
  })
})
