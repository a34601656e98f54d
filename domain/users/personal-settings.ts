import { accept, type Checked, refuse } from '../checked.ts'

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
export function checkPersonalChange(property: string, value: boolean | string): Checked<PersonalChange> {
  if (property === 'color') {
    const color = typeof value === 'string' ? checkColor(value) : refuse<string>('color is not a string')
    return color.ok ? accept({ setting: 'color', value: color.value }) : color
  }
  const setting = property === 'in_home_view' ? 'is_muted' : SWITCHES.find((name) => name === property)
  if (setting === undefined) return refuse(`Unknown subscription property: ${property}`)
  if (typeof value !== 'boolean') return refuse(`${property} is not a boolean`)
  return accept({ setting, value: property === 'in_home_view' ? !value : value })
}

/** Returns a colour in stored form: `#rrggbb`, lower case. */
export function checkColor(raw: string): Checked<string> {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(raw)?.[1]?.toLowerCase()
  if (digits === undefined) return refuse('color is not a valid hex color code')
  return accept(`#${digits.length === 6 ? digits : digits.replaceAll(/./g, '$&$&')}`)
}
