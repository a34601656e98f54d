import fc from 'fast-check'
import type { Account } from '../deployment/account.ts'
import { described } from '../deployment/described.ts'
import type { Scene } from '../deployment/scene.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { ourKind, some } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
import type { Requests } from './right-request.ts'

/** From this level a reason must come from a list. */
const since = 435
/** A reason that every server has. */
const report_type = 'spam'

export const requests: Requests = {
  'report-message': async (scene, t) => {
    await ensureModeration(t, scene)
    return { message_id: scene.messageId, report_type, description: 'Of a conformance run.' }
  },
}

/** If there is no moderation channel, one of the run's channels becomes it until it is archived with the others. */
async function ensureModeration(t: CheckContext, { user }: Scene): Promise<void> {
  const registered = await described(user, ['realm'])
  if (registered.body.realm_moderation_request_channel_id !== -1) return
  const moderator = t.person('administrator')
  const channel = await t.channel(moderator, [], true)
  await moderator.must('update-realm', { moderation_request_channel_id: channel.id })
}

/** Reports an existing message, or a new one by the reporter in the world's private channel. */
async function report(world: World, reporter: Account, message: number, description: string) {
  const manager = world.manager(undefined)
  const channel = world.channels.find(({ isPrivate }) => isPrivate)
  if (manager === undefined || channel === undefined) return undefined
  await manager.call('update-realm', { moderation_request_channel_id: channel.id })
  world.atEnd(() => manager.call('update-realm', { moderation_request_channel_id: -1 }))
  const own = { type: 'private', to: [reporter.userId], content: 'To be reported.' }
  const message_id = world.message(message)?.id ?? Number((await reporter.must('send-message', own)).body.id)
  return reporter.call('report-message', { message_id, report_type, description })
}

export const actions = [
  ourKind(
    'report message',
    () => ({ message: some, description: fc.constantFrom('', 'Look, **all** of it.') }),
    (world, { who, message, description }) => report(world, world.person(who), message, description),
    { since },
  ),
]
