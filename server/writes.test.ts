import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, mock, test } from 'node:test'
import type { ValidRequest } from '../conformance/acts/right-request.ts'
import { validRequest } from '../conformance/acts/valid-request.ts'
import { type Account, requestOf, type Values } from '../conformance/deployment/account.ts'
import type { Deployment } from '../conformance/deployment/deployment.ts'
import { deploymentAt } from '../conformance/deployment/deployment-testing.ts'
import { PushRelay } from '../conformance/deployment/push-relay.ts'
import { makeScene, type Scene } from '../conformance/deployment/scene.ts'
import { bareContext } from '../conformance/kernel/bare-context-testing.ts'
import type { CheckContext } from '../conformance/kernel/check-context.ts'
import { type Operation, readContract } from '../conformance/wire/contract.ts'
import type { Exchange } from '../conformance/wire/http.ts'
import type { Tx } from '../db/repositories.ts'
import { SYSTEM_GROUP_ID } from '../domain/user-groups/system-groups.ts'
import { ROLE, type RoleName } from '../domain/users/roles.ts'
import { HeldQueue } from './held-queue-testing.ts'
import { onEachDatabase, startParley, type TestServer } from './testing.ts'

const contract = readContract()

/** Operations that do not write, besides those with GET. */
const READ_ONLY = ['render-message', 'send-test-notification', 'send-encrypted-test-notification']

const relay = await PushRelay.listen()

/** For each minimum role the next lower one, which is refused. */
const BELOW: Partial<Record<RoleName, RoleName>> = {
  owner: 'administrator',
  administrator: 'moderator',
  moderator: 'member',
  member: 'guest',
}

/** A successful request of an operation, and whether it writes. */
interface Trial {
  readonly operation: Operation
  readonly writes: boolean
  make(t: CheckContext): ValidRequest | Promise<ValidRequest>
}

const trials: readonly Trial[] = [
  // Writes without credentials have no account to read.
  ...[...contract.operations.values()].filter(isOfAccounts).map((operation) => ({
    operation,
    writes: operation.method !== 'GET' && !READ_ONLY.includes(operation.id),
    make: (t: CheckContext) => validRequest(t, operation),
  })),
  {
    operation: named('get-events'), // without `queue_id` it creates a queue
    writes: true,
    make: async (t) => ({ as: (await t.scene()).user, values: { event_types: ['message'] } }),
  },
]

/** Leaves out the operation after which nothing else can be tried (handlers/organization/deactivate-realm.test.ts). */
function isOfAccounts({ minimumRole, method, endsService }: Operation): boolean {
  return !endsService && (minimumRole !== 'anonymous' || method === 'GET')
}

function named(id: string): Operation {
  return contract.operations.get(id) ?? assert.fail(id)
}

/** The content of the database that the next body of a batch finds. */
async function contents(tx: Tx): Promise<string> {
  const { session } = tx
  const tables = await session.all<{ name: string }>(
    session.dialect === 'sqlite'
      ? "select name from sqlite_master where type = 'table' order by name"
      : 'select table_name as name from information_schema.tables where table_schema = database() order by name',
  )
  const rows: unknown[] = [await tx.events.lockedHead()]
  for (const { name } of tables) rows.push(name, await session.all(`select * from ${name}`))
  return hash('sha256', JSON.stringify(rows))
}

type Change = (caller: Account, trial: Trial) => Promise<Exchange>

onEachDatabase('a write reads its account itself', (dialect) => {
  let server: TestServer
  let deployment: Deployment
  let queue: HeldQueue
  /** Another owner than the one the suite uses. */
  let owner: Account
  const scenes: { current: Promise<Scene> | undefined } = { current: undefined }

  before(async () => {
    mock.timers.enable({ apis: ['setInterval'] }) // so that no timer's job writes in between
    server = await startParley(dialect, { pushRelayUrl: relay.url, hasDevelopmentLogin: true })
    queue = new HeldQueue(server)
    deployment = await deploymentAt(server)
    const made = (await deployment.newUser()) ?? assert.fail(deployment.noUsers)
    const first = deployment.atLeast('owner') ?? assert.fail('no owner')
    await first.must('update-user', { user_id_or_email: made.userId, role: ROLE.owner })
    owner = made.withRole('owner')
  })
  after(async () => {
    mock.reset()
    await server.stop()
  })

  async function requestFor(trial: Trial): Promise<ValidRequest> {
    const t = bareContext(deployment, trial.operation.id, scenes)
    scenes.current ??= makeScene(t)
    return trial.make(t)
  }

  const send = ({ operation }: Trial, { as, values }: ValidRequest): Promise<Exchange> =>
    operation.minimumRole === 'anonymous'
      ? deployment.send(requestOf(operation, values))
      : as.send(requestOf(operation, values))

  /** Returns the result of a request if `change` is written just before it, in the same batch. */
  async function inOneBatch(trial: Trial, request: ValidRequest, change: () => Promise<Exchange>): Promise<string> {
    await request.as.must('get-own-user') // the account is cached from here on
    const { changed, answered, tries, before, after } = await queue.hold(async () => {
      const changeArrived = queue.arrival()
      const changed = change()
      await changeArrived
      const before = queue.db.transaction(contents)
      const arrived = queue.arrival()
      const answered = send(trial, request)
      const tries = await Promise.race([arrived.then(() => true), answered.then(() => false)])
      return { changed, answered, tries, before, after: queue.db.transaction(contents) }
    })
    assert.equal((await changed).status, 200)
    const { status, body } = await answered
    if (!tries) return `${status}, no write`
    const isListed = trial.operation.errors.some((one) => one.status === status && one.code === body?.code)
    const surprises = [isListed ? '' : ', not in the contract', (await before) === (await after) ? '' : ', written']
    return `${status} ${body?.code ?? 'success'}${surprises.join('')}`
  }

  /** Returns the trials with a wrong result, and these results. */
  async function wrongOutcomes(
    chosen: readonly Trial[],
    { change, restore, expected }: { change: Change; restore: Change; expected: (trial: Trial) => string },
  ): Promise<string[]> {
    const wrong: string[] = []
    for (const trial of chosen) {
      const request = await requestFor(trial)
      const outcome = await inOneBatch(trial, request, () => change(request.as, trial))
      const restored = await restore(request.as, trial)
      assert.equal(restored.status, 200, `${trial.operation.id} ended ${outcome}; then ${restored.text}`)
      if (outcome !== expected(trial)) wrong.push(`${trial.operation.id}: ${outcome}, not ${expected(trial)}`)
    }
    return wrong
  }

  const setRole = ({ userId }: Account, role: RoleName | undefined): Promise<Exchange> =>
    owner.call('update-user', { user_id_or_email: userId, role: role && ROLE[role] })

  test('an account that was just deactivated writes nothing (SEC-WRITE-1)', async () => {
    const wrong = await wrongOutcomes(trials, {
      change: ({ userId }) => owner.call('deactivate-user', { user_id_or_email: userId }),
      restore: ({ userId }) => owner.call('reactivate-user', { user_id: userId }),
      expected: ({ writes }) => (writes ? '401 USER_DEACTIVATED' : '200, no write'),
    })
    assert.deepEqual(wrong, [])
  })

  test('an account that just lost the role of an operation writes nothing (SEC-WRITE-2)', async () => {
    const chosen = trials.filter(({ writes, operation }) => writes && operation.minimumRole in BELOW)
    assert.notEqual(chosen.length, 0)
    const wrong = await wrongOutcomes(chosen, {
      change: (account, { operation }) => setRole(account, BELOW[operation.minimumRole as RoleName]),
      // A guest cannot become an administrator directly.
      restore: async (account) => {
        await setRole(account, 'member')
        return setRole(account, account.role as RoleName)
      },
      expected: ({ operation }) =>
        operation.minimumRole === 'member' ? '400 BAD_REQUEST' : '400 UNAUTHORIZED_PRINCIPAL',
    })
    assert.deepEqual(wrong, [])
  })

  test('other decisions by role use the role at the time of writing (SEC-WRITE-2)', async () => {
    const can_mention_group = SYSTEM_GROUP_ID['role:members']
    await server.inDatabase(({ knex }) =>
      knex('user_group').insert({
        id: 40,
        name: 'crew',
        description: '',
        is_system_group: false,
        group_settings: JSON.stringify({ can_mention_group }),
      }),
    )
    const { id: channelId } = await deployment.newChannel(owner)
    const message = { type: 'channel', to: channelId, topic: 'x', content: 'x' }
    const { id: message_id } = (await owner.must('send-message', message)).body
    const decisions: readonly [string, Values][] = [
      ['send-message', { type: 'direct', to: [owner.userId], content: '@*crew*' }],
      ['register-queue', { event_types: ['message'], all_public_streams: true }],
      ['set-typing-status', { op: 'start', type: 'stream', stream_id: channelId, topic: 'x' }],
      ['mark-stream-as-read', { stream_id: channelId }],
      ['add-reaction', { message_id, emoji_name: 'octopus' }],
    ]
    const chosen = decisions.map(([id, values]) => ({
      operation: named(id),
      writes: true,
      make: async (t: CheckContext) => ({ as: (await t.scene()).user, values }),
    }))
    const wrong = await wrongOutcomes(chosen, {
      change: (account) => setRole(account, 'guest'),
      restore: (account) => setRole(account, 'member'),
      expected: () => '400 BAD_REQUEST',
    })
    assert.deepEqual(wrong, [])
    // Members may do all of it.
    for (const trial of chosen) {
      const request = await requestFor(trial)
      await request.as.must(trial.operation.id, request.values)
    }
  })

  test('a former administrator cannot change settings of others (SEC-WRITE-2)', async () => {
    const person = (await deployment.newUser()) ?? assert.fail(deployment.noUsers)
    await setRole(person, 'administrator')
    const as = person.withRole('administrator')
    const values = { target_users: { user_ids: [owner.userId] }, color_scheme: 2 }
    const make = async (t: CheckContext) => {
      await t.scene()
      return { as, values }
    }
    const wrong = await wrongOutcomes([{ operation: named('update-settings'), writes: true, make }], {
      change: (account) => setRole(account, 'member'),
      restore: (account) => setRole(account, 'administrator'),
      expected: () => '400 UNAUTHORIZED_PRINCIPAL',
    })
    assert.deepEqual(wrong, [])
    await as.must('update-settings', values)
  })
})
