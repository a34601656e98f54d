import type { Account, Values } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, type Shows } from '../../kernel/effect.ts'
import { listen } from '../../kernel/listening.ts'
import { answerWhen, clockOf, isNow } from '../../kernel/messaging.ts'
import type { Exchange } from '../../wire/http.ts'
import { isRefused, type Json } from '../../wire/values.ts'
import { refuses } from '../outcomes.ts'

const octopus = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' }
const palm = { emoji_name: 'palm_tree', emoji_code: '1f334', reaction_type: 'unicode_emoji' }

export const checks: readonly Check[] = [
  effect(
    ['update-own-status', 'get-user-status'],
    'what one says of oneself is what others read',
    ['register-queue'],
    async (t, shows, { user, other }) => {
      const text = t.unique('status').slice(-50)
      const steps: readonly (readonly [Values, Values])[] = [
        [{ status_text: text }, { status_text: text }],
        [palm, { status_text: text, ...palm }],
        [{ status_text: '' }, palm],
        [{ status_text: text, emoji_name: '' }, { status_text: text }],
        [{ emoji_name: 'octopus' }, { status_text: text, ...octopus }],
        [{ status_text: '' }, octopus],
        [{ emoji_name: '' }, {}],
        [
          { ...octopus, status_text: text },
          { ...octopus, status_text: text },
        ],
        [palm, { ...palm, status_text: text }],
        [{ status_text: '', emoji_name: '' }, {}],
      ]
      for (const [said, wanted] of steps) {
        await user.must('update-own-status', said)
        await hasStatus(shows, other, user, wanted)
      }
      for (const wrong of [{ emoji_code: 'conformance' }, { reaction_type: 'realm_emoji' }]) {
        const refused = await user.call('update-own-status', { emoji_name: 'octopus', ...wrong })
        refuses(shows, refused, `there is no such emoji as ${JSON.stringify(wrong)}`)
      }
      await hasStatus(shows, other, user, {})
      if (!t.isParley) return // where being away is part of presence
      for (const away of [true, false]) {
        await user.must('update-own-status', { away })
        const { exchange, status } = await statusOf(other, user)
        shows(exchange, (status.away ?? false) === away, `\`away\` is ${away}, where nothing said is false`)
      }
    },
  ),
  effect(
    ['add-alert-words', 'remove-alert-words', 'get-alert-words'],
    'words are added to those that one has, once each',
    [],
    async (t, shows, { user, other }) => {
      const [one, two, more] = [t.unique('tea'), t.unique('coffee'), t.unique('milk')]
      const holds = (exchange: Exchange, wanted: readonly string[], unwanted: readonly string[]): boolean => {
        const words: string[] = exchange.body.alert_words
        const isExact = wanted.every((word) => words.filter((each) => each === word).length === 1)
        return shows(
          exchange,
          isExact && !unwanted.some((word) => words.includes(word)),
          `${wanted.join(', ') || 'none of them'} once each${unwanted.length > 0 ? `, and not ${unwanted.join(', ')}` : ''}`,
        )
      }
      holds(await user.must('add-alert-words', { alert_words: [one] }), [one], [two])
      holds(await user.must('add-alert-words', { alert_words: [two, one] }), [one, two], [])
      holds(await user.must('get-alert-words'), [one, two], [])
      holds(await other.must('get-alert-words'), [], [one, two])
      holds(await user.must('remove-alert-words', { alert_words: [one] }), [two], [one])
      holds(await user.must('get-alert-words'), [two], [one])
      // Words compare without case; existing ones stay as they are.
      holds(await user.must('add-alert-words', { alert_words: [two.toUpperCase()] }), [two], [two.toUpperCase()])
      holds(await user.must('add-alert-words', { alert_words: [one, more] }), [one, two, more], [])
      const left = await user.must('remove-alert-words', { alert_words: [two.toUpperCase(), one, more] })
      holds(left, [], [one, two, more])
    },
  ),
  effect(
    ['mute-user', 'unmute-user'],
    'whoever is muted is in the caller’s list, and in no other',
    ['register-queue', 'create-user'],
    async (t, shows, { user, other }) => {
      const muted_user_id = (await t.newUser()).userId
      const mutes = async (person: Account, isMuted: boolean): Promise<void> => {
        const exchange = await person.must('register-queue', { event_types: ['muted_users'] })
        const rows: Json[] = exchange.body.muted_users.filter(({ id }: Json) => id === muted_user_id)
        const says = `user ${muted_user_id} ${isMuted ? 'once' : 'not'} among the muted users of user ${person.userId}`
        shows(exchange, rows.length === (isMuted ? 1 : 0), says)
        for (const { timestamp } of rows) {
          shows(exchange, isNow(timestamp, exchange), '`timestamp` is the present second')
        }
      }
      await user.must('mute-user', { muted_user_id })
      await mutes(user, true)
      await mutes(other, false)
      refuses(shows, await user.call('mute-user', { muted_user_id }), `user ${muted_user_id} is muted already`)
      await user.must('unmute-user', { muted_user_id })
      await mutes(user, false)
      refuses(shows, await user.call('unmute-user', { muted_user_id }), `user ${muted_user_id} is not muted`)
      refuses(shows, await user.call('mute-user', { muted_user_id: user.userId }), 'nobody can mute themselves')
    },
  ),
  effect('get-presence', 'what one reported last is what others see', ['update-presence'], async (t, shows) => {
    const { user, other } = await t.scene()
    for (const status of ['active', 'idle']) {
      const before = Math.floor(clockOf(await user.must('update-presence', { status })))
      const isTold = ({ body }: Exchange): boolean => body.presence?.aggregated?.timestamp >= before - 300
      const ask = (): Promise<Exchange> => other.must('get-presence', { user_id_or_email: user.userId })
      const exchange = await answerWhen(other, ask, isTold)
      const expected = `\`timestamp\` of \`aggregated\` is now: user ${user.userId} has just been ${status}`
      shows(exchange, isTold(exchange), expected)
    }
  }),
  effect(
    ['update-bot-storage', 'get-bot-storage', 'remove-bot-storage'],
    'what a bot stores is there until it is removed',
    [],
    async (t, shows, { user }) => {
      const bot = t.deployment.given.find(({ isBot }) => isBot) ?? user
      const [one, two] = [t.unique('one'), t.unique('two')]
      const has = async (values: Values, wanted: Values): Promise<void> => {
        const exchange = await bot.must('get-bot-storage', values)
        const { storage } = exchange.body
        const found = Object.fromEntries([one, two].filter((key) => key in storage).map((key) => [key, storage[key]]))
        const says = `\`storage\` has ${JSON.stringify(wanted)} of ${one} and ${two}`
        shows(exchange, JSON.stringify(found) === JSON.stringify(wanted), says)
      }
      await bot.must('update-bot-storage', { storage: { [one]: 'first', [two]: 'second' } })
      await has({}, { [one]: 'first', [two]: 'second' })
      await has({ keys: [two] }, { [two]: 'second' })
      await bot.must('update-bot-storage', { storage: { [one]: 'changed' } })
      await has({}, { [one]: 'changed', [two]: 'second' })
      // Other servers take no keys for no list, which means all.
      if (t.isParley) {
        await has({ keys: [] }, {})
        await bot.must('remove-bot-storage', { keys: [] })
        await has({}, { [one]: 'changed', [two]: 'second' })
      }
      await bot.must('remove-bot-storage', { keys: [one] })
      await has({}, { [two]: 'second' })
      refuses(shows, await bot.call('get-bot-storage', { keys: [two, one] }), `there is no ${one} any more`)
      await bot.must('remove-bot-storage', { keys: [two] })
      await has({}, {})
    },
  ),
  effect(
    'deactivate-own-user',
    'whoever leaves is gone for everybody, and cannot come back alone',
    ['get-user', 'get-own-user', 'create-user', 'register-queue', 'get-events'],
    async (t, shows, { user: watcher }) => {
      const user = await t.newUser()
      const queue = await listen(watcher, ['realm_user'])
      await user.must('deactivate-own-user')
      const refused = await user.call('get-own-user')
      shows(refused, isRefused(refused) && refused.status === 401, 'HTTP 401: the account is deactivated')
      const known = await watcher.must('get-user', { user_id_or_email: user.userId })
      shows(known, known.body.user.is_active === false, '`is_active` is false')
      const isGone = (event: Json): boolean =>
        event.person?.user_id === user.userId && (event.op === 'remove' || event.person.is_active === false)
      const told = await queue.until(isGone)
      const expected = `an event that user ${user.userId} is not active any more; but ${told.lacked}`
      shows(told.exchange, told.event !== undefined, expected)
    },
  ),
]

async function statusOf(reader: Account, user: Account): Promise<{ exchange: Exchange; status: Json }> {
  const exchange = await reader.must('get-user-status', { user_id: user.userId })
  return { exchange, status: exchange.body.status }
}

async function hasStatus(shows: Shows, reader: Account, user: Account, wanted: Values): Promise<void> {
  const { exchange, status: all } = await statusOf(reader, user)
  const { away: _, ...status } = all
  const said = Object.entries({ ...status, ...wanted }).filter(([name]) => (status[name] || undefined) !== wanted[name])
  shows(exchange, said.length === 0, `\`status\` of user ${user.userId} is ${JSON.stringify(wanted)}`)
}
