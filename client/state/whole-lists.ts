import type { ClientPart } from './state.ts'

/**
 * A part for a field of POST /register whose events carry all of it, under the same name.
 *
 * @param event the events, if they have another name
 */
export function wholeList<Fields extends object = Record<string, unknown>>(
  field: keyof Fields & string,
  { event = field, ...more }: { readonly event?: string } & Partial<ClientPart<Fields>> = {},
): ClientPart<Fields> {
  return {
    fetched: [field],
    empty: { [field]: [] } as Partial<Fields>,
    apply: {
      [event]: (state: Fields, told: Fields) => {
        state[field] = told[field]
      },
    },
    ...more,
  }
}
