import type { Contract, Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { canonical, type Json, listOf } from '../wire/values.ts'

/** Settings about which the contract has no `x-permissions`, with values under which operations refuse some requests. */
const others: readonly (readonly [
  setting: string,
  isClosed: (value: unknown) => boolean,
  operations: readonly string[],
])[] = [
  ['allow_message_editing', (value) => value === false, ['set-typing-status-for-edit']],
  ['message_content_edit_limit_seconds', isBelow(600), ['update-message', 'set-typing-status-for-edit']],
  ['move_messages_within_stream_limit_seconds', isBelow(604_800), ['update-message']],
  ['move_messages_between_streams_limit_seconds', isBelow(604_800), ['update-message']],
  ['message_content_delete_limit_seconds', isBelow(600), ['delete-message']],
  ['message_edit_history_visibility_policy', (value) => value === 'none', ['get-message-history']],
  ['topics_policy', (value) => value !== 'allow_empty_topic', ['send-message', 'update-message']],
  ['presence_disabled', (value) => value === true, ['get-presence', 'get-all-presence', 'update-presence']],
]

/** Operations that are refused by the same settings as another one. */
const likeAnother: Readonly<Record<string, string>> = {
  'update-subscriptions': 'subscribe',
  'set-typing-status': 'send-message',
  'create-scheduled-message': 'send-message',
  'update-scheduled-message': 'send-message',
}

function isBelow(usual: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && value < usual
}

/**
 * Returns the settings by which this organization may refuse what others allow, if the answer is such a refusal.
 *
 * @param state the organization in an answer of POST /register
 */
export function settingsBehind(
  { status, body }: Exchange,
  operation: Operation,
  state: Json,
  { operations }: Contract,
): readonly string[] {
  if (status !== 400 || body?.code !== 'BAD_REQUEST') return []
  const known = state?.server_supported_permission_settings?.realm ?? {}
  const idOf = (group: unknown): unknown => listOf(state.realm_user_groups).find(({ name }) => name === group)?.id
  const isOpen = (name: string): boolean =>
    [idOf(known[name]?.default_group_name), idOf('role:everyone')].some(
      (id) => canonical(id) === canonical(state[`realm_${name}`]),
    )
  // Runs hold this setting while they change others, and it cannot name people beside nobody.
  if (operation.id === 'update-realm' && !isOpen('can_create_groups')) return ['can_create_groups']
  const { id, groupSettings } = operations.get(likeAnother[operation.id] ?? '') ?? operation
  const ofMembers = id === 'send-message' ? ['direct_message_permission_group'] : []
  const groups = [...groupSettings, ...ofMembers].filter((name) => name in known)
  const closed = groups.filter((name) => !isOpen(name))
  if (closed.length > 0) return closed
  if (groups.length > 0 && state.realm_waiting_period_threshold > 0) return ['waiting_period_threshold']
  const refusing = Object.entries(operation.refusedWhen).filter(([name, value]) => state?.[`realm_${name}`] === value)
  const further = others.filter(
    ([name, isClosed, operations]) => operations.includes(operation.id) && isClosed(state?.[`realm_${name}`]),
  )
  return [...refusing, ...further].map(([name]) => name)
}
