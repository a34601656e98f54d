import fc from 'fast-check'
import type { Account } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { ourKind } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
import type { Naming, Requests } from './right-request.ts'

/** Names for a new bot. */
export function namesOf(t: Naming): { readonly full_name: string; readonly short_name: string } {
  const full_name = t.unique('Conformance Bot')
  return { full_name, short_name: full_name.toLowerCase().replaceAll(' ', '-') }
}

/** Id of a new bot of `owner`. */
export async function newBot(t: CheckContext, owner: Account): Promise<number> {
  const made = await owner.must('create-bot', namesOf(t))
  return Number(made.body.user_id)
}

export const requests: Requests = {
  'create-bot': (_, t) => namesOf(t),
  'update-bot': async ({ user }, t) => ({ bot_id: await newBot(t, user), full_name: t.unique('Conformance Bot') }),
  'deactivate-bot': async ({ user }, t) => ({ bot_id: await newBot(t, user) }),
  'get-bot-api-key': async ({ user }, t) => ({ bot_id: await newBot(t, user) }),
  'update-bot-storage': () => ({ storage: { key: 'value' } }),
  'remove-bot-storage': () => ({}),
  'regenerate-bot-api-key': async ({ user }, t) => ({ bot_id: await newBot(t, user) }),
}

interface OwnBot {
  readonly id: number
  owner: Account
}

async function aBot(world: World, who: number): Promise<OwnBot | undefined> {
  const bots = world.kept<OwnBot>('bot')
  const owner = world.person(who)
  const own = bots.findLast((bot) => bot.owner.userId === owner.userId)
  if (own) return own
  const made = await owner.call('create-bot', namesOf(world))
  if (made.status !== 200) return undefined
  const bot = { id: Number(made.body.user_id), owner }
  bots.push(bot)
  return bot
}

export const actions = [
  ourKind(
    'create bot',
    () => ({ default_all_public_streams: fc.boolean() }),
    async (world, { who, default_all_public_streams }) => {
      const owner = world.person(who)
      const names = namesOf(world)
      const made = await owner.call('create-bot', { ...names, default_all_public_streams })
      if (made.status === 200) world.kept<OwnBot>('bot').push({ id: Number(made.body.user_id), owner })
      return made
    },
  ),
  ourKind(
    'change bot',
    () => ({ suffix: fc.constantFrom('Marsh', 'Kim'), default_all_public_streams: fc.boolean() }),
    async (world, { who, suffix, default_all_public_streams }) => {
      const bot = await aBot(world, who)
      const values = { bot_id: bot?.id, full_name: `${world.unique('Bot')} ${suffix}`, default_all_public_streams }
      return bot && world.person(who).call('update-bot', values)
    },
  ),
  ourKind(
    'give bot',
    ({ who: other }) => ({ other }),
    async (world, { who, other }) => {
      const [bot, owner] = [await aBot(world, who), world.person(other)]
      const given = bot && (await world.person(who).call('update-bot', { bot_id: bot.id, bot_owner_id: owner.userId }))
      if (bot && given?.status === 200) bot.owner = owner
      return given
    },
  ),
  ourKind(
    'deactivate bot',
    () => ({}),
    async (world, { who }) => {
      const bot = await aBot(world, who)
      return bot && world.person(who).call('deactivate-bot', { bot_id: bot.id })
    },
  ),
]
