import type { StatePart } from './state-request.ts'

/** The number that fields of a kind have, and its name for people. */
const CUSTOM_PROFILE_FIELD_TYPES = {
  SHORT_TEXT: { id: 1, name: 'Text, one line' },
  LONG_TEXT: { id: 2, name: 'Text, several lines' },
  SELECT: { id: 3, name: 'Choice from a list' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'Account elsewhere' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
}

/** Fetch type `custom_profile_fields`. */
export const part: StatePart = async ({ customProfileFields }, _actor, { isWanted, capabilities }) => ({
  ...(isWanted('custom_profile_fields') && {
    custom_profile_fields: (await customProfileFields.all()).map((field) =>
      field.type === CUSTOM_PROFILE_FIELD_TYPES.PRONOUNS.id && !capabilities.pronouns_field_type_supported
        ? { ...field, type: CUSTOM_PROFILE_FIELD_TYPES.SHORT_TEXT.id }
        : field,
    ),
    custom_profile_field_types: CUSTOM_PROFILE_FIELD_TYPES,
  }),
})
