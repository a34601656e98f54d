import type { ProfileFieldsLogEvent } from '../domain/events/log-event.ts'
import { forClient } from '../domain/profiles/profile-fields.ts'
import type { Event } from '../generated/operations.ts'
import type { Adapted, Recipient } from './adapted.ts'

/** Custom profile fields with the types that the client knows. */
export function adaptProfileFields(event: ProfileFieldsLogEvent, { descriptor }: Recipient): Adapted {
  const knowsPronouns = descriptor.capabilities.pronouns_field_type_supported === true
  const { areValuesGone: _, ...shared } = event
  const make = (): Event => ({ ...shared, fields: forClient(event.fields, knowsPronouns) })
  return { variant: String(knowsPronouns), make }
}
