import fc from 'fast-check'
import type { Account } from '../deployment/account.ts'
import { type Ground, kind, some } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
import { newMessage } from './messages.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'add-reaction': async (scene) => ({ message_id: await newMessage(scene), emoji_name: 'octopus' }),
  'remove-reaction': async (scene) => {
    const values = { message_id: await newMessage(scene), emoji_name: 'octopus' }
    await scene.user.must('add-reaction', values)
    return values
  },
}

interface Reaction {
  readonly by: Account
  readonly message_id: number
  readonly emoji_name: string
}

const reacting = ({ isOurs }: Ground) => ({
  message: some,
  emoji_name: fc.constantFrom('octopus', 'tada', ...(isOurs ? ['thumbs_up', '+1', 'zulip'] : [])),
})

interface Reacting {
  readonly who: number
  readonly message: number
  readonly emoji_name: string
}

async function react(world: World, { who, message, emoji_name }: Reacting) {
  const [by, { id: message_id }] = [world.person(who), world.message(message) ?? {}]
  if (message_id === undefined) return undefined
  const answer = await by.call('add-reaction', { message_id, emoji_name })
  return world.keep<Reaction>('reactions', answer, { by, message_id, emoji_name })
}

export const actions = [
  kind('react', reacting, (world, action) => react(world, action), { weight: 9 }),
  // Removes the chosen reaction, or else another one, preferably by the same person. If there is none, one is added.
  kind(
    'unreact',
    reacting,
    async (world, { who, message, emoji_name }) => {
      const all = world.kept<Reaction>('reactions')
      if (all.length === 0) await react(world, { who, message, emoji_name })
      const { id: message_id } = world.message(message) ?? {}
      const own = all.filter(({ by }) => by === world.person(who))
      const meant = own.find((one) => one.message_id === message_id && one.emoji_name === emoji_name)
      const there = meant ?? own[message % own.length] ?? all[message % all.length]
      if (message_id === undefined) return undefined
      const { by, ...reaction } = there ?? { by: world.person(who), message_id, emoji_name }
      const answer = await by.call('remove-reaction', reaction)
      if (there && answer.status === 200) all.splice(all.indexOf(there), 1)
      return answer
    },
    { weight: 2 },
  ),
]
