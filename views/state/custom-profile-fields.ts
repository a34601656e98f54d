import { FIELD_TYPE, forClient } from '../../domain/profiles/profile-fields.ts'
import type { StatePart } from './state-request.ts'

/** The number of each kind of field, and its name for people. */
const CUSTOM_PROFILE_FIELD_TYPES = {
  SHORT_TEXT: { id: FIELD_TYPE.shortText, name: 'Text, one line' },
  LONG_TEXT: { id: FIELD_TYPE.longText, name: 'Text, several lines' },
  SELECT: { id: FIELD_TYPE.choice, name: 'Choice from a list' },
  DATE: { id: FIELD_TYPE.date, name: 'Date' },
  URL: { id: FIELD_TYPE.link, name: 'Link' },
  USER: { id: FIELD_TYPE.people, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: FIELD_TYPE.externalAccount, name: 'Account elsewhere' },
  PRONOUNS: { id: FIELD_TYPE.pronouns, name: 'Pronouns' },
}

/** Fetch type `custom_profile_fields`. */
export const part: StatePart = async ({ customProfileFields }, _actor, { isWanted, capabilities }) => ({
  ...(isWanted('custom_profile_fields') && {
    custom_profile_fields: forClient(
      await customProfileFields.all(),
      capabilities.pronouns_field_type_supported === true,
    ),
    custom_profile_field_types: CUSTOM_PROFILE_FIELD_TYPES,
  }),
})
