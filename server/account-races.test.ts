import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ROLE } from '../domain/users/roles.ts'
import { HeldQueue } from './held-queue-testing.ts'
import { type Answer, ApiClient, onEachDatabase, startParley, type TestServer } from './testing.ts'

/** Requests that demote an owner: the caller or another one. */
const TAKE = {
  'demote the other': (me: ApiClient, other: ApiClient) => me.patch(`/users/${other.userId}`, { role: ROLE.member }),
  'deactivate the other': (me: ApiClient, other: ApiClient) => me.delete(`/users/${other.userId}`),
  'demote oneself': (me: ApiClient) => me.patch(`/users/${me.userId}`, { role: ROLE.member }),
  'deactivate oneself': (me: ApiClient) => me.delete('/users/me'),
} as const
type Take = (typeof TAKE)[keyof typeof TAKE]

onEachDatabase('races about accounts', (dialect) => {
  let server: TestServer
  let queue: HeldQueue
  before(async () => {
    mock.timers.enable({ apis: ['setInterval'] }) // so that no timer's job writes in between
    server = await startParley(dialect)
    queue = new HeldQueue(server)
  })
  after(async () => {
    mock.reset()
    await server.stop()
  })

  /** Sends a request while writing is held, until it waits for that or is answered. */
  async function queued(send: () => Promise<Answer>): Promise<{ readonly answer: Promise<Answer> }> {
    const arrived = queue.arrival()
    const answer = send()
    await Promise.race([arrived, answer])
    return { answer }
  }

  /** Both are accepted before either is written, and share a batch. */
  async function atOnce(first: () => Promise<Answer>, second: () => Promise<Answer>): Promise<Answer[]> {
    const both = await queue.hold(async () => [await queued(first), await queued(second)])
    return Promise.all(both.map(({ answer }) => answer))
  }

  const isOwner = async (reader: ApiClient, { userId }: ApiClient): Promise<boolean> => {
    const { user } = await reader.must('GET', `/users/${userId}`)
    return user.is_active && user.role === ROLE.owner
  }

  /** Makes both of them owners again; either of them may still be one. */
  async function restore(stays: ApiClient, other: ApiClient): Promise<void> {
    const { user } = await stays.must('GET', `/users/${other.userId}`)
    if (!user.is_active) await stays.must('POST', `/users/${other.userId}/reactivate`)
    await stays.must('PATCH', `/users/${other.userId}`, { role: ROLE.owner })
  }

  for (const [mine, take] of Object.entries<Take>(TAKE)) {
    for (const [yours, takeToo] of Object.entries<Take>(TAKE)) {
      test(`one owner stays: ${mine}, while the other wants to ${yours} (SEC-OWNER-1)`, async () => {
        const [one, other] = [server.as('owner'), server.as('admin')]
        await restore(one, other)
        const answers = await atOnce(
          () => take(one, other),
          () => takeToo(other, one),
        )
        const observer = server.as('guest')
        const owners = [await isOwner(observer, one), await isOwner(observer, other)]
        assert.equal(answers[0]?.status, 200)
        assert.deepEqual([...owners].sort(), [false, true], JSON.stringify(answers.map(({ body }) => body)))
        if (owners[0] === false) await restore(other, one)
      })
    }
  }

  for (const isFirst of [true, false]) {
    const when = isFirst ? 'just before' : 'just after'
    /** Sends the second request while the first one is in progress, a few turns of the event loop later. */
    const meeting = async (turns: number, poll: () => Promise<Answer>, end: () => Promise<Answer>) => {
      const sends = isFirst ? [poll, end] : [end, poll]
      const answers: Promise<Answer>[] = []
      for (const send of sends) {
        answers.push(send())
        for (let turn = 0; turn < turns; turn += 1) await setImmediate()
      }
      const [first, second] = await Promise.all(answers)
      return isFirst ? { polled: first, ended: second } : { polled: second, ended: first }
    }

    test(`a poll that comes ${when} its key is replaced ends with it (SEC-KEY-1)`, async () => {
      let user = await server.newUser()
      const { queue_id, last_event_id } = await user.must('POST', '/register', { event_types: ['message'] })
      for (let turns = 0; turns < 12; turns += 1) {
        const me = user
        const { polled, ended } = await meeting(
          turns,
          () => me.get('/events', { queue_id, last_event_id }),
          () => me.post('/users/me/api_key/regenerate'),
        )
        assert.equal(ended?.status, 200)
        assert.equal(polled?.body.code, 'INVALID_API_KEY', `after ${turns} turns`)
        user = new ApiClient(server.url, { email: me.email, user_id: me.userId, api_key: ended?.body.api_key })
      }
    })

    test(`a poll that comes ${when} its account is deactivated ends, and tells nothing (STATE-USER-1)`, async () => {
      const [owner, user] = [server.as('owner'), await server.newUser()]
      for (let turns = 0; turns < 12; turns += 1) {
        const { queue_id, last_event_id } = await user.must('POST', '/register', { event_types: ['message'] })
        const { polled, ended } = await meeting(
          turns,
          () => user.get('/events', { queue_id, last_event_id }),
          () => owner.delete(`/users/${user.userId}`),
        )
        assert.equal(ended?.status, 200)
        // The queue may be removed before the poll, at it, or while it is read.
        const { events, code } = polled?.body ?? {}
        if (code === undefined) assert.deepEqual(events, [], `after ${turns} turns`)
        else assert.ok(['USER_DEACTIVATED', 'BAD_EVENT_QUEUE_ID'].includes(code), `${code} after ${turns} turns`)
        assert.equal((await user.get('/events', { queue_id, last_event_id })).body.code, 'USER_DEACTIVATED')
        await owner.must('POST', `/users/${user.userId}/reactivate`)
      }
    })
  }

  test('one of two simultaneous changes to the same address is refused, and the owner of the address can read with it', async () => {
    const [one, other] = [await server.newUser(), await server.newUser()]
    const email = 'wanted@parley.example'
    const answers = await atOnce(
      () => one.patch('/settings', { email }),
      () => other.patch('/settings', { email }),
    )
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.msg]),
      [
        [200, ''],
        [400, 'Email is already in use.'],
      ],
    )
    await other.must('GET', '/users/me')
  })
})
