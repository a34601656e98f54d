import { settledSettings, whileSet } from '../deployment/organization.ts'
import type { Check } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { clockOf, fetched, post } from '../kernel/messaging.ts'

export const checks: readonly Check[] = [
  {
    id: 'organization/edit-limit',
    isCostly: true, // where the clock cannot be moved
    title: 'the organization says for how long messages are edited',
    area: 'PATCH /messages/{message_id}',
    profile: 'admin',
    requirements: ['MSG-EDIT-34'],
    operations: ['update-realm', 'register-queue', 'subscribe', 'send-message', 'update-message', 'get-message'],
    isForAll: true,
    movesClock: true,
    run: (t) => t.unlessDisturbed(() => editsEnd(t)),
  },
]

/** Seconds after which a message is too old to be edited, even with extra time for slow clients. */
const tooOldSeconds = 1 + 20 + 2

async function editsEnd(t: CheckContext): Promise<void> {
  const owner = t.person('owner')
  const { user, channel, messageId: id } = await t.scene()
  const { allow_message_editing: isOn } = await settledSettings(owner)
  if (isOn !== true) t.leaveOut('the organization has turned off the editing of messages')
  // Sent with the scene, before most other checks, so there is rarely anything to wait for.
  const sent = await fetched(user, id)
  const age = clockOf(sent) - Number(sent.body.message.timestamp)
  const own = t.deployment.standIn && (await post(owner, channel, 'limits', 'Even owners are late.'))
  await t.pass(tooOldSeconds - (own === undefined ? age : 0))
  await whileSet(owner, [user], { message_content_edit_limit_seconds: 1 }, async () => {
    for (const [author, message_id] of [[user, id] as const, ...(own ? [[owner, own] as const] : [])]) {
      const edited = await author.call('update-message', { message_id, content: t.unique('Too late') })
      const isRefused = edited.status === 400 && edited.body?.code === 'BAD_REQUEST'
      const says = `\`BAD_REQUEST\`: the limit is 1 second, the message ${tooOldSeconds} old`
      t.that('MSG-EDIT-34', edited, isRefused, says)
    }
  })
}
