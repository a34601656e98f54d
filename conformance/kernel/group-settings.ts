import { isIntegers, isObject, type Json } from '../wire/values.ts'

/** A value that says who may do something, with the place where it stands: `streams.3.can_send_message_group`. */
export interface GroupSetting {
  readonly place: string
  readonly value: Json
}

const names = /^(realm_)?can_\w+_group$|^realm_(create_multiuse_invite|direct_message_(initiator|permission))_group$/
/** Says of settings what they may be, under their names. */
const described = 'server_supported_permission_settings'

/** All of them in an answer, or in a part of it, however deep. */
export function groupSettingsIn(part: Json, place = ''): GroupSetting[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries<Json>(part).flatMap(([name, value]) => {
    const at = place === '' ? name : `${place}.${name}`
    if (name === described) return []
    return names.test(name) && !Array.isArray(part) ? [{ place: at, value }] : groupSettingsIn(value, at)
  })
}

/** Whether `value` is the ID of a group, or lists who is meant (GSV-1 to GSV-3). */
export function isGroupSetting(value: unknown): boolean {
  if (!isObject(value)) return Number.isInteger(value)
  return isIntegers(value.direct_members) && isIntegers(value.direct_subgroups)
}
