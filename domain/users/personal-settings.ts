import { BadRequestError } from '../errors.ts'

/** Personal settings of a channel, by their names on the wire; all except `color` are switches (SUB-4). */
const SWITCHES = [
  'is_muted',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const
export type PersonalSwitch = (typeof SWITCHES)[number]

export type PersonalChange =
  | { readonly setting: 'color'; readonly value: string }
  | { readonly setting: PersonalSwitch; readonly value: boolean }

/** Checks the requested value of a setting; `in_home_view` is the older opposite of `is_muted` (SUB-5 to SUB-15). */
export function checkPersonalChange(property: string, value: boolean | string): PersonalChange {
  if (property === 'color') {
    if (typeof value !== 'string') throw new BadRequestError('color is not a string')
    return { setting: 'color', value: checkColor(value) }
  }
  const setting = property === 'in_home_view' ? 'is_muted' : SWITCHES.find((name) => name === property)
  if (setting === undefined) throw new BadRequestError(`Unknown subscription property: ${property}`)
  if (typeof value !== 'boolean') throw new BadRequestError(`${property} is not a boolean`)
  return { setting, value: property === 'in_home_view' ? !value : value }
}

/** Returns a colour in stored form: `#rrggbb`, lower case. @throws {BadRequestError} */
export function checkColor(raw: string): string {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(raw)?.[1]?.toLowerCase()
  if (digits === undefined) throw new BadRequestError('color is not a valid hex color code')
  return `#${digits.length === 6 ? digits : digits.replaceAll(/./g, '$&$&')}`
}
