import { isIntegers, isObject, type Json } from '../wire/values.ts'

/** A value that says who may do something, with its place: `streams.3.can_send_message_group`. */
export interface GroupSetting {
  readonly place: string
  readonly value: Json
}

const names = /^(realm_)?can_\w+_group$|^realm_(create_multiuse_invite|direct_message_(initiator|permission))_group$/
/** Describes the allowed values of settings, by their names. */
const described = 'server_supported_permission_settings'

/** All group settings in an answer, or in a part of it, at any depth. */
export function groupSettingsIn(part: Json, place = ''): GroupSetting[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries<Json>(part).flatMap(([name, value]) => {
    const at = place === '' ? name : `${place}.${name}`
    if (name === described) return []
    return names.test(name) && !Array.isArray(part) ? [{ place: at, value }] : groupSettingsIn(value, at)
  })
}

/** Whether `value` is a group id, or lists members and subgroups (GSV-1 to GSV-3). */
export function isGroupSetting(value: unknown): boolean {
  if (!isObject(value)) return Number.isInteger(value)
  return isIntegers(value.direct_members) && isIntegers(value.direct_subgroups)
}
