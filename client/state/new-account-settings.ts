import { type ClientPart, MisfitError } from './state.ts'

export interface NewAccountSettingFields {
  realm_user_settings_defaults: Record<string, unknown>
}

/** What accounts begin with that are made from now on. */
export const part: ClientPart<NewAccountSettingFields> = {
  fetched: ['realm_user_settings_defaults'],
  empty: { realm_user_settings_defaults: {} },
  apply: {
    'realm_user_settings_defaults update': (state, { property, value }: { property: string; value: unknown }) => {
      if (!(property in state.realm_user_settings_defaults))
        throw new MisfitError(`a setting that registration did not tell: ${property}`)
      state.realm_user_settings_defaults[property] = value
    },
  },
}
