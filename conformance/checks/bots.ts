import { namesOf, newBot } from '../acts/bots.ts'
import { EventQueue } from '../deployment/event-queue.ts'
import type { Check } from '../kernel/check.ts'
import { effect, effectNamed } from '../kernel/effect.ts'
import { eventOf, listen } from '../kernel/listening.ts'
import { fetched } from '../kernel/messaging.ts'
import { type Json, listOf } from '../wire/values.ts'
import { refuses, succeeds } from './outcomes.ts'

const anotherKey = /^[A-Za-z0-9]{32}$/

export const checks: readonly Check[] = [
  {
    id: 'bots/owner',
    title: 'a change of a bot’s owner is announced to everybody',
    area: 'Events: realm_user',
    requirements: ['EV-REALMUSER-12'],
    async run(t) {
      const { user, other } = await t.scene()
      const owner = await t.newUser()
      const id = await newBot(t, user)
      const queue = await listen(other, ['realm_user'])
      await t.person('administrator').must('update-bot', { bot_id: id, bot_owner_id: owner.userId })
      const told = await queue.until((one) => one.person?.user_id === id && 'bot_owner_id' in one.person)
      const owners = `\`bot_owner_id\` of bot ${id} is ${owner.userId}; but ${told.lacked}`
      t.that('EV-REALMUSER-12', told.exchange, told.event?.person.bot_owner_id === owner.userId, owners)
    },
  },
  effect(
    ['create-bot', 'get-bots'],
    'a bot belongs to its creator, can use its key, and is announced to those who manage it',
    async (t, shows) => {
      const user = await t.newUser()
      const names = namesOf(t)
      const values = { event_types: ['realm_bot'], fetch_event_types: ['realm_bot'] }
      const queue = await EventQueue.open(user, values)
      const made = await user.must('create-bot', { ...names, default_all_public_streams: true })
      const { user_id: id, api_key: key } = made.body
      const known = await user.must('get-user', { user_id_or_email: id })
      const wanted = { full_name: names.full_name, is_bot: true, bot_type: 1, bot_owner_id: user.userId, role: 400 }
      for (const [field, value] of Object.entries(wanted))
        shows(known, known.body.user[field] === value, `\`${field}\` is ${JSON.stringify(value)}`)
      const listed = await user.must('get-bots')
      const [own] = listOf(listed.body.bots)
      const isListed =
        own?.full_name === names.full_name && own.api_key === key && own.default_all_public_streams === true
      shows(listed, isListed, `"${names.full_name}" with its key and \`default_all_public_streams\` true`)
      const says = `\`username\` begins with "${names.short_name}-bot@"`
      shows(listed, String(own?.username).startsWith(`${names.short_name}-bot@`), says)
      const called = await user.withLogin(String(own?.username), String(key)).call('get-own-user')
      shows(called, called.body?.user_id === id, `bot ${id}, with its address and key`)
      await eventOf(shows, queue, { type: 'realm_bot', op: 'add', bot: { user_id: id } })
      const again = await EventQueue.open(user, values)
      const state = again.registered
      shows(state, isManaged(state.body, id), `bot ${id} in \`realm_bots\``)
    },
  ),
  effectNamed(
    'effects/create-bot/sends',
    'the sender of a bot’s message is the bot, even if the bot may only send',
    async (t, shows) => {
      const user = await t.newUser()
      const queue = await listen(user, ['message'])
      for (const bot_type of [1, 2]) {
        const names = namesOf(t)
        const { body } = await user.must('create-bot', { ...names, bot_type })
        const { bots } = (await user.must('get-bots')).body
        const own = listOf(bots).find((one) => one.full_name === names.full_name)
        const bot = user.withLogin(String(own?.username), String(body.api_key))
        const content = t.unique('I am a bot.')
        const sent = await bot.call('send-message', { type: 'private', to: [user.userId], content })
        if (!shows(sent, sent.status === 200, `success of a bot of type ${bot_type}`)) continue
        const says = `a message whose \`sender_id\` is ${body.user_id}`
        const shown = await fetched(user, sent.body.id)
        shows(shown, shown.body.message.sender_id === body.user_id, says)
        const heard = await queue.until({ type: 'message', message: { id: sent.body.id } })
        shows(heard.exchange, heard.event?.message.sender_id === body.user_id, `${says}; but ${heard.lacked}`)
      }
    },
  ),
  effect('update-bot', 'changes of a bot are announced to its owner', async (t, shows) => {
    const user = await t.newUser()
    const id = await newBot(t, user)
    const queue = await listen(user, ['realm_bot'])
    const { full_name, short_name } = namesOf(t)
    const values = { full_name, ...(t.level >= 447 && { short_name }), default_all_public_streams: true }
    const changed = await user.must('update-bot', { bot_id: id, ...values })
    shows(changed, changed.body.full_name === full_name, `\`full_name\` is "${full_name}"`)
    shows(changed, changed.body.default_all_public_streams === true, '`default_all_public_streams` is true')
    const known = await user.must('get-user', { user_id_or_email: id })
    shows(known, known.body.user.full_name === full_name, `\`full_name\` is "${full_name}"`)
    const listed = await user.must('get-bots')
    const isNamed = t.level < 447 || listOf(listed.body.bots)[0]?.username.startsWith(`${short_name}-bot@`)
    shows(listed, isNamed, `\`username\` begins with "${short_name}-bot@"`)
    const bot = { user_id: id, default_all_public_streams: true }
    await eventOf(shows, queue, { type: 'realm_bot', op: 'update', bot })
  }),
  effect('deactivate-bot', 'a deactivated bot is refused and no longer listed', async (t, shows) => {
    const user = await t.newUser()
    const id = await newBot(t, user)
    const [own] = listOf((await user.must('get-bots')).body.bots)
    const bot = user.withLogin(String(own?.username), String(own?.api_key))
    succeeds(shows, await bot.call('get-own-user'), 'the bot is there')
    await user.must('deactivate-bot', { bot_id: id })
    refuses(shows, await bot.call('get-own-user'), 'its key is no longer valid')
    const known = await user.must('get-user', { user_id_or_email: id })
    shows(known, known.body.user.is_active === false, '`is_active` is false')
    const listed = await user.must('get-bots')
    shows(listed, listOf(listed.body.bots).length === 0, 'no bots')
  }),
  effect(
    ['get-bot-api-key', 'regenerate-bot-api-key'],
    'the owner of a bot can read and replace its key, and others cannot',
    async (t, shows) => {
      const [user, stranger] = [await t.newUser(), await t.newUser()]
      const id = await newBot(t, user)
      const read = await user.must('get-bot-api-key', { bot_id: id })
      const listed = await user.must('get-bots')
      shows(read, read.body.api_key === listOf(listed.body.bots)[0]?.api_key, '`api_key`, as GET /bots has it')
      const made = await user.must('regenerate-bot-api-key', { bot_id: id })
      const key: unknown = made.body.api_key
      shows(made, anotherKey.test(String(key)) && key !== read.body.api_key, '`api_key`, another one')
      const now = await user.must('get-bot-api-key', { bot_id: id })
      shows(now, now.body.api_key === key, '`api_key` is the new one')
      for (const operation of ['get-bot-api-key', 'regenerate-bot-api-key'])
        refuses(shows, await stranger.call(operation, { bot_id: id }), 'the bot belongs to somebody else')
    },
  ),
]

function isManaged(state: Json, id: number): boolean {
  return listOf(state.realm_bots).some((one: Json) => one.user_id === id)
}
