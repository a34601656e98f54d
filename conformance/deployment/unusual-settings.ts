import { type Account, SetUpError, type Values } from './account.ts'
import { described } from './described.ts'

/** Settings of people that checks rely on. */
const reliedOn = {
  email_address_visibility: 1,
  enable_drafts_synchronization: true,
  presence_enabled: true,
  receives_typing_notifications: true,
  send_private_typing_notifications: true,
  send_read_receipts: true,
  send_stream_typing_notifications: true,
} as const

/** Returns these settings where new accounts of the organization have other ones. */
export async function unusualSettings([reader]: readonly Account[]): Promise<Values> {
  if (reader === undefined) return {}
  try {
    const { body } = await described(reader, ['realm_user_settings_defaults'])
    const present = body.realm_user_settings_defaults ?? {}
    const unusual = Object.entries(reliedOn).filter(([name, value]) => name in present && present[name] !== value)
    return reader.known('update-settings', Object.fromEntries(unusual))
  } catch (err) {
    if (err instanceof SetUpError) return {} // checks report what is wrong there
    throw err
  }
}
