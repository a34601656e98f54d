import { type ClientPart, MisfitError } from './state.ts'

interface SettingFields {
  user_settings: Record<string, unknown>
  alert_words: string[]
  muted_users: { readonly id: number; readonly timestamp: number }[]
  drafts: object[]
}

/** What people set for themselves. */
export const settings: ClientPart<SettingFields> = {
  apply: {
    'user_settings update': (state, { property, value }: { property: string; value: unknown }) => {
      if (!(property in state.user_settings))
        throw new MisfitError(`a setting that registration did not tell: ${property}`)
      state.user_settings[property] = value
      if (property === 'enable_drafts_synchronization' && value === false) state.drafts = []
    },
    alert_words: (state, { alert_words }: { alert_words: string[] }) => {
      state.alert_words = alert_words
    },
    muted_users: (state, { muted_users }: { muted_users: SettingFields['muted_users'] }) => {
      state.muted_users = muted_users
    },
  },
}
