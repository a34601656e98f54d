import type { Schemas } from '../../generated/operations.ts'

/** A field that the organization added to people’s profiles. */
export type ProfileField = Schemas['CustomProfileField']
/** A value as clients have it: text, and HTML for types that take Markdown. */
export type ProfileValue = Schemas['ProfileValue']
/** By the id of the field. */
export type ProfileValues = Readonly<Record<string, ProfileValue>>

/** Parsed when somebody looks at it: rows of accounts are read with each request. */
export function profileOf({ profileJson }: { readonly profileJson: string | null }): ProfileValues {
  return profileJson === null ? {} : (JSON.parse(profileJson) as ProfileValues)
}

/** The number that fields of a kind have. */
export const FIELD_TYPE = {
  shortText: 1,
  longText: 2,
  choice: 3,
  date: 4,
  link: 5,
  people: 6,
  externalAccount: 7,
  pronouns: 8,
} as const

/** Fields as a client has them: one that does not know pronouns takes them for a short text. */
export function forClient(fields: readonly ProfileField[], knowsPronouns: boolean): ProfileField[] {
  return fields.map((field) =>
    field.type === FIELD_TYPE.pronouns && !knowsPronouns ? { ...field, type: FIELD_TYPE.shortText } : field,
  )
}
