import type { Schemas } from '../../generated/operations.ts'

/** A custom profile field of the organization. */
export type ProfileField = Schemas['CustomProfileField']
/** A value in the form of clients: text, and HTML for types that take Markdown. */
export type ProfileValue = Schemas['ProfileValue']
/** By the ID of the field. */
export type ProfileValues = Readonly<Record<string, ProfileValue>>

/** Parsed on demand, because rows of accounts are read with each request. */
export function profileOf({ profileJson }: { readonly profileJson: string | null }): ProfileValues {
  return profileJson === null ? {} : (JSON.parse(profileJson) as ProfileValues)
}

/** Numbers of field types. */
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

/** Returns fields in the form of a client: a client that does not know pronouns gets a short text. */
export function forClient(fields: readonly ProfileField[], knowsPronouns: boolean): ProfileField[] {
  return fields.map((field) =>
    field.type === FIELD_TYPE.pronouns && !knowsPronouns ? { ...field, type: FIELD_TYPE.shortText } : field,
  )
}
