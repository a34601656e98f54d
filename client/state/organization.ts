import { type ClientPart, MisfitError } from './state.ts'

interface SettingChanges {
  readonly property: string
  readonly data: Readonly<Record<string, unknown>>
}

type OrganizationFields = Record<`realm_${string}`, unknown>

/** What `update_dict` is about; the names of what has changed are in its data. */
const PROPERTIES = ['default', 'icon', 'logo', 'night_logo']

/** What holds for everybody: each setting stands at the top level, under its name after `realm_`. */
export const part: ClientPart<OrganizationFields> = {
  apply: {
    // Nothing more is told, and nothing asked for.
    'realm deactivated': () => undefined,
    'realm update': (state, { property, value }: { property: string; value: unknown }) => set(state, property, value),
    'realm update_dict': (state, { property, data }: SettingChanges) => {
      if (!PROPERTIES.includes(property)) throw new MisfitError(`settings that this client does not know: ${property}`)
      for (const [name, value] of Object.entries(data)) {
        if (name !== 'rendered_description') set(state, name, value)
      }
    },
  },
}

function set(state: OrganizationFields, name: string, value: unknown): void {
  if (!(`realm_${name}` in state)) throw new MisfitError(`a setting that registration did not tell: ${name}`)
  state[`realm_${name}`] = value
}
