import type { WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { by, succeeds } from './outcomes.ts'

/** Number of simultaneous requests in the check of rate limits, and its maximum in total. */
const burst = 20
const mostRequests = 1000

export const checks: readonly WrittenCheck[] = [
  {
    id: 'refusals/fields',
    title: 'the fields of an error code stand beside `code`',
    requirements: ['ERR-4'],
    async run(t) {
      const { user } = await t.scene()
      const nowhere = { type: 'stream', to: idOfNothing, topic: 'refused', content: 'Nobody reads this.' }
      const refused = await user.call('send-message', nowhere)
      const { code, stream_id: id } = refused.body ?? {}
      const isBeside = code === 'STREAM_DOES_NOT_EXIST' && id === nowhere.to
      t.that('ERR-4', refused, isBeside, `STREAM_DOES_NOT_EXIST, and \`stream_id\` ${nowhere.to} beside \`code\``)
    },
  },
  {
    id: 'refusals/words',
    title: 'refusals have the usual messages',
    requirements: ['ERR-HTTP-7', 'ERR-HTTP-2'],
    async run(t) {
      const { user, channel, topic } = await t.scene()
      const sent = await user.must('send-message', { type: 'stream', to: channel.id, topic, content: 'To react to.' })
      const reaction = { message_id: sent.body.id, emoji_name: 'octopus' }
      await user.must('add-reaction', reaction)
      const again = await user.call('add-reaction', reaction)
      for (const [msg, exchange] of [
        ['Invalid message(s)', await user.call('get-message', { message_id: idOfNothing })],
        ['Invalid channel ID', await user.call('get-stream-topics', { stream_id: idOfNothing })],
        ['Reaction already exists.', again],
      ] as const) {
        t.refusedWith('ERR-HTTP-7', exchange, msg)
      }
      t.that('ERR-HTTP-2', again, again.status === 400, 'HTTP status 400')
    },
  },
  {
    id: 'refusals/administrators',
    title: 'members cannot do what only administrators may, and administrators cannot do what only owners may',
    requirements: ['AUTH-11', 'AUTH-12', 'ERR-HTTP-2'],
    async run(t) {
      const [user, other] = [await t.user(), await t.user()]
      const [admin, owner] = [t.person('administrator'), t.person('owner')]
      const same = { user_id_or_email: other.userId, full_name: other.fullName }
      const refused = await user.call('update-user', same)
      const { status, body } = refused
      if (!t.isParley && body?.code === 'BAD_REQUEST' && body.msg === 'Insufficient permission') {
        t.deviates('NOTE-34', refused, 'UNAUTHORIZED_PRINCIPAL, `Must be an organization administrator`')
      } else {
        const says = 'Must be an organization administrator'
        t.that('AUTH-11', refused, body?.msg === says, `\`msg\` is "${says}"`)
        t.that('ERR-HTTP-2', refused, status === 400, 'HTTP status 400')
      }
      const byAdmin = await admin.call('update-user', same)
      if (byAdmin.status !== 200) t.leaveOut('what the owner should be able to do is refused to an administrator, too')
      succeeds(by(t, 'AUTH-12'), await owner.call('update-user', same), 'administrators may, and so may owners')
    },
  },
  {
    id: 'refusals/rate-limit',
    title: 'a request above the rate limit is told when to try again',
    requirements: ['LIMIT-19', 'LIMIT-20'],
    async run(t) {
      const user = await t.newUser()
      const counted = await user.call('get-own-user')
      if (!counted.headers.has('x-ratelimit-limit')) t.leaveOut('the answers show no rate limits')
      const numbers = ['limit', 'remaining', 'reset'].map((name) => numberIn(counted, `x-ratelimit-${name}`))
      const says = 'the headers X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset, integers'
      t.that('LIMIT-20', counted, numbers.every(Number.isInteger), says)
      const refused = await askTooOften(t, numbers[1] ?? 0, () => user.callAtOnce('get-own-user'))
      const seconds = numberIn(refused, 'retry-after')
      const isClear = refused.status === 429 && seconds > 0 && Number(refused.body?.['retry-after']) > 0
      t.that('LIMIT-19', refused, isClear, 'HTTP 429, the seconds to wait in `retry-after` and in Retry-After')
      t.that('LIMIT-19', refused, refused.body?.code === 'RATE_LIMIT_HIT', 'RATE_LIMIT_HIT')
    },
  },
]

/** NaN if the header is missing or not a number. */
function numberIn({ headers }: Exchange, name: string): number {
  return Number(headers.get(name) ?? Number.NaN)
}

/**
 * The first failure, or the last answer. Several processes may count separately, so it asks as long as any of them
 * reports remaining requests.
 */
async function askTooOften(t: CheckContext, remaining: number, ask: () => Promise<Exchange>): Promise<Exchange> {
  if (remaining > mostRequests) t.leaveOut(`it would take ${remaining} requests to be refused`)
  for (let sent = burst; ; sent += burst) {
    const answers = await Promise.all(Array.from({ length: burst }, ask))
    const refused = answers.find(({ status }) => status !== 200)
    const [first] = answers
    if (refused !== undefined) return refused
    const isLeft = answers.some((answer) => numberIn(answer, 'x-ratelimit-remaining') > 0)
    if (first !== undefined && (!isLeft || sent >= mostRequests)) return first
  }
}
