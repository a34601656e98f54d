import { type ClientPart, type ClientState, MisfitError } from './state.ts'
import { applyPermissions, type UserGroupFields } from './user-groups.ts'

interface SettingChanges {
  readonly property: string
  readonly data: Readonly<Record<string, unknown>>
}

type OrganizationFields = Record<`realm_${string}`, unknown>

/** The properties of `update_dict` events; the names of the changed settings are in `data`. */
const PROPERTIES = ['default', 'icon', 'logo', 'night_logo']

/** Settings of the organization: each is at the top level, with the prefix `realm_`. */
export const part: ClientPart<OrganizationFields> = {
  // Not fetched for a scope, because other users change it meanwhile.
  concerns: () => false,
  apply: {
    // No other event follows, and the client requests nothing.
    'realm deactivated': () => undefined,
    'realm update': (state, { property, value }: { property: string; value: unknown }) => set(state, property, value),
    'realm update_dict': (state, { property, data }: SettingChanges) => {
      if (!PROPERTIES.includes(property)) throw new MisfitError(`settings that this client does not know: ${property}`)
      for (const [name, value] of Object.entries(data)) {
        if (name !== 'rendered_description') set(state, name, value)
      }
      applyPermissions(state as OrganizationFields & UserGroupFields & ClientState)
    },
  },
}

function set(state: OrganizationFields, name: string, value: unknown): void {
  if (!(`realm_${name}` in state)) throw new MisfitError(`a setting that registration did not tell: ${name}`)
  state[`realm_${name}`] = value
  // The only setting that registration also has without the prefix.
  if (name === 'jitsi_server_url' && name in state) Object.assign(state, { [name]: value })
}
