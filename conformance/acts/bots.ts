import fc from 'fast-check'
import type { Account, Values } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { nothing, ourKind } from '../laws/action-kind.ts'
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

async function add(world: World, who: number, values: Values = {}) {
  const owner = world.person(who)
  const made = await owner.call('create-bot', { ...namesOf(world), ...values })
  return world.keep<OwnBot>('bot', made, { id: Number(made.body?.user_id), owner })
}

async function aBot(world: World, who: number): Promise<OwnBot | undefined> {
  const own = () => world.kept<OwnBot>('bot').findLast(({ owner }) => owner.userId === world.person(who).userId)
  if (!own()) await add(world, who)
  return own()
}

export const actions = [
  ourKind(
    'create bot',
    () => ({ default_all_public_streams: fc.boolean() }),
    (world, { who, default_all_public_streams }) => add(world, who, { default_all_public_streams }),
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
  ourKind('deactivate bot', nothing, async (world, { who }) => {
    const bot = await aBot(world, who)
    return bot && world.person(who).call('deactivate-bot', { bot_id: bot.id })
  }),
]
