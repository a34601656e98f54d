import { isDeepStrictEqual } from 'node:util'
import type { Account } from '../deployment/account.ts'
import { asSent } from '../deployment/changed-settings.ts'
import { described } from '../deployment/described.ts'
import { EventQueue } from '../deployment/event-queue.ts'
import { heldBy, type SharedSettings, settledSettings, sharedSettings, whileSet } from '../deployment/organization.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { effect, type Shows } from '../kernel/effect.ts'
import { clockOf, fetched, post } from '../kernel/messaging.ts'
import { canonical, listOf } from '../wire/values.ts'
import { refuses } from './outcomes.ts'

/** From this level one setting decides which earlier versions are shown. */
const historyPolicyFrom = 358

export const checks: readonly WrittenCheck[] = [
  {
    id: 'organization/edit-limit',
    isCostly: true, // if the clock cannot be moved
    title: 'messages can be edited within the organization’s time limit',
    requirements: ['MSG-EDIT-34'],
    isForAll: true,
    movesClock: true,
    run: (t) => t.unlessDisturbed(() => editsEnd(t)),
  },
  {
    ...effect(
      'update-realm',
      'settings of the organization are announced to everybody, and take effect with the next request',
      (t, shows) => t.unlessDisturbed(() => settingsHold(t, shows)),
    ),
    requirements: ['update-realm', 'MSG-EDIT-30', 'MSG-FIELD-36', 'MSG-HIST-2', ...ids('EV-OTHER', [5, 10])],
    isForAll: true,
  },
]

/** After this many seconds a message is too old to be edited, even with extra time for slow clients. */
const tooOldSeconds = 1 + 20 + 2

async function editsEnd(t: CheckContext): Promise<void> {
  const owner = t.person('owner')
  const { user, channel, messageId: id } = await t.scene()
  const { allow_message_editing: isOn } = await settledSettings(owner)
  if (isOn !== true) t.leaveOut('the organization has turned off the editing of messages')
  // Sent with the scene, before most other checks, so that there is rarely a wait.
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

async function settingsHold(t: CheckContext, shows: Shows): Promise<void> {
  const [owner, admin] = [t.person('owner'), t.person('administrator')]
  const { user, other, channel } = await t.scene()
  const before = await settledSettings(owner)
  const { can_create_groups: group, allow_message_editing, message_edit_history_visibility_policy } = before
  const limit = before.message_content_edit_limit_seconds
  const former = {
    allow_message_editing,
    message_edit_history_visibility_policy,
    message_content_edit_limit_seconds: asSent('message_content_edit_limit_seconds', limit),
  }
  const [held, heldByBoth] = [heldBy(group, [user]), heldBy(group, [user, other])]
  const id = await post(user, channel, 'settings', 'As it was.')
  const ofAdmin = await post(admin, channel, 'settings', 'As it was.')
  const queue = await EventQueue.open(user, { event_types: ['realm'], fetch_event_types: ['realm'] })
  const change = changer(t, shows, user, queue)
  try {
    await change(owner, 'can_create_groups', held, { new: held, old: group })
    const stale = await owner.call('update-realm', { can_create_groups: { new: heldByBoth, old: group } })
    shows(stale, stale.body?.code === 'EXPECTATION_MISMATCH', '`EXPECTATION_MISMATCH`: it is another value')
    const early = await admin.call('update-realm', { can_create_groups: { new: heldByBoth } })
    if (admin !== owner) refuses(shows, early, 'owners alone say who creates groups')
    for (const isOn of [true, false, true]) {
      if (isOn === (await sharedSettings(user)).allow_message_editing) continue
      await change(admin, 'allow_message_editing', isOn, isOn)
      for (const [author, message_id] of [
        [user, id],
        [admin, ofAdmin],
      ] as const) {
        const edited = await author.call('update-message', { message_id, content: t.unique('Edited') })
        const isBad = edited.status === 400 && edited.body?.code === 'BAD_REQUEST'
        if (isOn) shows(edited, edited.status === 200, 'an edit is accepted')
        else t.that('MSG-EDIT-30', edited, isBad, '`BAD_REQUEST`: edits are off')
      }
    }
    for (const value of [limit === null ? 3600 : null, limit]) {
      const name = 'message_content_edit_limit_seconds'
      await change(admin, name, value, asSent(name, value))
    }
    for (const isShown of [!before.enable_guest_user_indicator, before.enable_guest_user_indicator]) {
      await change(admin, 'enable_guest_user_indicator', isShown, isShown)
    }
    await changeBoth(shows, owner, queue, false, heldByBoth)
    await change(owner, 'can_create_groups', held, { new: held })
    const again = await owner.must('update-realm', { can_create_groups: { new: held } })
    shows(again, again.body.can_create_groups === undefined, 'nothing that has changed')
    if (t.level >= historyPolicyFrom) {
      const policy = { message_edit_history_visibility_policy: 'moves', allow_message_editing: true }
      await owner.must('update-realm', policy)
      const moved = await user.call('update-message', { message_id: id, topic: t.unique('moved'), content: 'Both.' })
      const shown = await fetched(user, id)
      const entries = listOf(shown.body.message.edit_history)
      const areMoves = entries.every((one) => one.user_id === user.userId && !('prev_content' in one))
      const says = `the moves in \`edit_history\`, by user ${user.userId}, without former content`
      if (moved.status === 200) t.that('MSG-HIST-2', shown, entries.length > 0 && areMoves, says)
      await owner.must('update-realm', { message_edit_history_visibility_policy: 'none' })
      const hidden = await fetched(user, id)
      const isHidden = !('edit_history' in hidden.body.message)
      t.that('MSG-FIELD-36', hidden, isHidden, 'no `edit_history`: the organization shows none')
    }
    await owner.must('update-realm', { can_create_groups: { new: group }, ...former })
  } finally {
    for (const old of [held, heldByBoth]) {
      // Unless another run has changed it since.
      await owner.call('update-realm', { ...former, can_create_groups: { new: group, old } })
    }
  }
}

/** Changes one setting, and compares answer, event and state with the new value. */
function changer(t: CheckContext, shows: Shows, reader: Account, queue: EventQueue) {
  return async (who: Account, name: keyof SharedSettings, value: unknown, sent: unknown): Promise<void> => {
    const wanted = canonical(value)
    const is = (one: unknown): boolean => canonical(one) === wanted
    const changed = await who.must('update-realm', { [name]: sent as never })
    shows(changed, is(changed.body[name]), `\`${name}\` is ${wanted}`)
    const { event, exchange, lacked } = await queue.until({ type: 'realm' })
    const isSimple = name === 'enable_guest_user_indicator'
    const form = isSimple ? { op: 'update', property: name } : { op: 'update_dict', property: 'default' }
    const says = `the event \`${form.op}\` has \`${name}\` alone, which is ${wanted}; but ${lacked}`
    const isForm = event?.op === form.op && event?.property === form.property
    const isTold = isSimple ? is(event?.value) : is(event?.data?.[name]) && Object.keys(event?.data).length === 1
    shows(exchange, isForm && isTold, says)
    if (!isSimple) for (const id of ['EV-OTHER-5', 'EV-OTHER-10']) t.that(id, exchange, isForm && isTold, says)
    const registered = await described(reader, ['realm'])
    shows(registered, is(registered.body[`realm_${name}`]), `\`realm_${name}\` is ${wanted}`)
  }
}

/** Changes both settings in one request, and finds both in the next events, together or separately. */
async function changeBoth(
  shows: Shows,
  owner: Account,
  queue: EventQueue,
  allow_message_editing: boolean,
  can_create_groups: unknown,
): Promise<void> {
  const wanted = { allow_message_editing, can_create_groups }
  await owner.must('update-realm', { allow_message_editing, can_create_groups: { new: can_create_groups } })
  const told: Record<string, unknown> = {}
  const { event, exchange, lacked } = await queue.until(({ type, data }) => {
    if (type === 'realm') Object.assign(told, data)
    return Object.entries(wanted).every(([name, value]) => isDeepStrictEqual(told[name], value))
  })
  shows(exchange, event !== undefined, `both of ${JSON.stringify(wanted)}, set in one request; but ${lacked}`)
}
