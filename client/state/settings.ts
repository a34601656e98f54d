import { picked } from './order.ts'
import { type ClientPart, MisfitError } from './state.ts'

export interface SettingFields {
  user_settings: Record<string, unknown>
  drafts: object[]
}

/** The user's own settings. */
export const part: ClientPart<SettingFields> = {
  fetched: ['user_settings'],
  empty: { user_settings: {} },
  apply: {
    'user_settings update': (state, { property, value }: { property: string; value: unknown }) => {
      if (!(property in state.user_settings))
        throw new MisfitError(`a setting that registration did not tell: ${property}`)
      state.user_settings[property] = value
      if (property === 'enable_drafts_synchronization' && value === false) state.drafts = []
    },
  },
  // The settings whose values are the same on all servers.
  view: ({ user_settings: settings }) => ({
    settings: picked(settings, ['starred_message_counts', 'enter_sends', 'high_contrast_mode']),
  }),
}
