import type { ClientPart, ClientState } from './state.ts'
import type { UserFields } from './users.ts'

interface Field {
  readonly id: number
  readonly type: number
  readonly field_data: string
}

type Values = Readonly<Record<string, { readonly value: string }>>

export interface CustomProfileFields {
  custom_profile_fields: readonly Field[]
}

const CHOICE = 3

/** Each event carries all fields. When a field or a choice is removed, its values in profiles go too. */
export const part: ClientPart<CustomProfileFields> = {
  fetched: ['custom_profile_fields'],
  empty: { custom_profile_fields: [] },
  apply: {
    custom_profile_fields: (state, { fields }: { fields: readonly Field[] }) => {
      state.custom_profile_fields = fields
      dropValues(state, fields)
    },
  },
}

function dropValues(state: ClientState, fields: readonly Field[]): void {
  const { realm_users, realm_non_active_users } = state as unknown as Partial<UserFields>
  const known = new Map(fields.map((field) => [String(field.id), field]))
  for (const user of [...(realm_users ?? []), ...(realm_non_active_users ?? [])]) {
    const values = user.profile_data as Values | undefined
    if (values === undefined) continue
    const left = Object.entries(values).filter(([id, { value }]) => {
      const field = known.get(id)
      return field !== undefined && (field.type !== CHOICE || Object.hasOwn(JSON.parse(field.field_data), value))
    })
    Object.assign(user, { profile_data: Object.fromEntries(left) })
  }
}
