import type { ClientPart } from './state.ts'

export interface DeviceFields {
  devices: Record<string, object>
}

const UNREGISTERED = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
}

export const part: ClientPart<DeviceFields> = {
  fetched: ['device'],
  empty: { devices: {} },
  apply: {
    'device add': (state, { device_id }: { device_id: number }) => {
      state.devices = { ...state.devices, [device_id]: UNREGISTERED }
    },
    'device remove': (state, { device_id }: { device_id: number }) => {
      const { [device_id]: _, ...others } = state.devices
      state.devices = others
    },
    'device update': (state, { device_id, ...event }: { device_id: number }) => {
      const fields = Object.entries(event).filter(([name]) => name in UNREGISTERED)
      state.devices = { ...state.devices, [device_id]: { ...state.devices[device_id], ...Object.fromEntries(fields) } }
    },
  },
}
