import { settledSettings, whileSet } from '../deployment/organization.ts'
import { type Check, ids } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { listen } from '../kernel/listening.ts'
import { clockOf, fetched, post } from '../kernel/messaging.ts'
import { isObject } from '../wire/values.ts'

/** Since this level one setting decides what is shown of earlier versions. */
const historyPolicyFrom = 358

export const checks: readonly Check[] = [
  {
    id: 'organization/edits',
    title: 'the organization says whether messages are edited, and whether their former versions are shown',
    area: 'PATCH /messages/{message_id}',
    profile: 'admin',
    requirements: ['MSG-EDIT-30', 'MSG-FIELD-36', ...ids('EV-OTHER', [5, 10])],
    operations: [
      ...['update-realm', 'register-queue', 'get-events', 'subscribe', 'send-message', 'update-message'],
      'get-message',
    ],
    isForAll: true,
    run: (t) => t.unlessDisturbed(() => editsFollow(t)),
  },
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
  const { user, messageId: id } = await t.scene()
  const { allow_message_editing: isOn } = await settledSettings(owner)
  if (isOn !== true) t.leaveOut('the organization has turned off the editing of messages')
  // Sent with the scene, before most other checks, so there is rarely anything to wait for.
  const sent = await fetched(user, id)
  const age = clockOf(sent) - Number(sent.body.message.timestamp)
  await t.pass(tooOldSeconds - age)
  await whileSet(owner, [user], { message_content_edit_limit_seconds: 1 }, async () => {
    const edited = await user.call('update-message', { message_id: id, content: t.unique('Too late') })
    const isRefused = edited.status === 400 && edited.body?.code === 'BAD_REQUEST'
    t.that('MSG-EDIT-34', edited, isRefused, `\`BAD_REQUEST\`: the limit is 1 second, the message ${tooOldSeconds} old`)
  })
}

async function editsFollow(t: CheckContext): Promise<void> {
  const owner = t.person('owner')
  const { user, channel } = await t.scene()
  const { allow_message_editing: isOn } = await settledSettings(owner)
  if (isOn !== true) t.leaveOut('the organization has turned off the editing of messages')
  const id = await post(user, channel, t.unique('settings'), 'As it was.')
  await user.must('update-message', { message_id: id, content: 'Edited.' })
  await user.call('update-message', { message_id: id, topic: t.unique('moved') })
  const queue = await listen(user, ['realm'])
  const settings = {
    allow_message_editing: false,
    ...(t.level >= historyPolicyFrom && { message_edit_history_visibility_policy: 'none' }),
  }
  await whileSet(owner, [user], settings, async () => {
    const { event, exchange, lacked } = await queue.until(
      ({ type, op, data }) => type === 'realm' && op === 'update_dict' && data?.allow_message_editing === false,
    )
    const says = `\`realm\` op \`update_dict\` with \`allow_message_editing\` false; but ${lacked}`
    t.that('EV-OTHER-5', exchange, event !== undefined, says)
    const hasKeys = event?.property === 'default' && isObject(event.data)
    t.that('EV-OTHER-10', exchange, event === undefined || hasKeys, '`property` is `default`, `data` has what changed')
    const edited = await user.call('update-message', { message_id: id, content: 'Edited again.' })
    const isRefused = edited.status === 400 && edited.body?.code === 'BAD_REQUEST'
    t.that('MSG-EDIT-30', edited, isRefused, '`BAD_REQUEST`: the organization has turned edits off')
    if (t.level < historyPolicyFrom) return
    const hidden = await fetched(user, id)
    const isHidden = !('edit_history' in hidden.body.message)
    t.that('MSG-FIELD-36', hidden, isHidden, 'no `edit_history`: the organization shows none')
  })
}
