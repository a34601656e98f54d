import { type ClientPart, MisfitError } from './state.ts'

export interface NewAccountSettingFields {
  realm_user_settings_defaults: Record<string, unknown>
}

/** The settings with which new accounts start. */
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
