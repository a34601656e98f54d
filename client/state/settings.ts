import { picked } from './order.ts'
import { type ClientPart, MisfitError } from './state.ts'

type Settings = Record<string, unknown>

interface SettingEvent {
  readonly property: string
  readonly value: unknown
}

function set(settings: Settings, { property, value }: SettingEvent): void {
  if (!(property in settings)) throw new MisfitError(`a setting that registration did not tell: ${property}`)
  settings[property] = value
}

/** The settings with which new accounts start. */
export const newAccountSettings: ClientPart<{ realm_user_settings_defaults: Settings }> = {
  fetched: ['realm_user_settings_defaults'],
  empty: { realm_user_settings_defaults: {} },
  apply: {
    'realm_user_settings_defaults update': (state, event: SettingEvent) =>
      set(state.realm_user_settings_defaults, event),
  },
}

/** The user's own settings. */
export const settings: ClientPart<{ user_settings: Settings; drafts: object[] }> = {
  fetched: ['user_settings'],
  empty: { user_settings: {} },
  apply: {
    'user_settings update': (state, event: SettingEvent) => {
      set(state.user_settings, event)
      if (event.property === 'enable_drafts_synchronization' && event.value === false) state.drafts = []
    },
  },
  // The settings whose values are the same on all servers.
  view: ({ user_settings: settings }) => ({
    settings: picked(settings, ['starred_message_counts', 'enter_sends', 'high_contrast_mode']),
  }),
}
