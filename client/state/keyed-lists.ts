import { byKey } from './order.ts'
import { type ClientPart, MisfitError } from './state.ts'

type Item = Readonly<Record<string, unknown>>
type Lists = Record<string, Item[]>

interface KeyedList {
  /** The field that identifies an item; default: `id`. */
  readonly key?: string
  /** The type of the events; default: the name of the list. */
  readonly event?: string
  /** The same field in events that have no item; default: the item's name and `_id`. */
  readonly gone?: string
  /** The `op` of changes and of removals. */
  readonly update?: string
  readonly remove?: string
  /** Whether the item in a change has only the fields that change. */
  readonly isPartial?: boolean
}

/**
 * A part for a list whose events tell of single items. It has one name in POST /register, and another for an item in
 * events. Additions come as a list or as a single item, and changes as an item or as its changed `data`.
 */
export function keyedList(list: string, item: string, options: KeyedList = {}): ClientPart<Lists> {
  const { key = 'id', event = list, gone = `${item}_id`, update = 'update', remove = 'remove', isPartial } = options
  const idOf = (one: Item | undefined): string | number => (one?.[key] ?? '') as string | number
  const idIn = (told: Item): string | number => idOf((told[item] as Item | undefined) ?? { [key]: told[gone] })
  const itemsOf = (state: Lists): Item[] => state[list] ?? []
  const without = (state: Lists, id: string | number): Item[] => itemsOf(state).filter((one) => idOf(one) !== id)
  return {
    fetched: [list],
    empty: { [list]: [] },
    apply: {
      [`${event} add`]: (state, told: Record<string, Item | Item[]>) => {
        for (const one of [told[list] ?? told[item] ?? []].flat()) state[list] = [...without(state, idOf(one)), one]
      },
      [`${event} ${update}`]: (state, told: Record<string, Item>) => {
        const known = itemsOf(state).find((one) => idOf(one) === idIn(told))
        if (!known) throw new MisfitError(`${item} ${idIn(told)} changed, which no event made known`)
        const { [item]: whole, data = whole } = told
        state[list] = [...without(state, idIn(told)), { ...((isPartial || !whole) && known), ...data }]
      },
      [`${event} ${remove}`]: (state, told: Item) => {
        state[list] = without(state, idIn(told))
      },
    },
    normalize: (state) => ({ [list]: byKey(itemsOf(state), idOf) }),
  }
}

/** Same as above for a list of the user's own items, which nobody else changes. */
export function ownList(list: string, item: string, key = 'id'): ClientPart<Lists> {
  const part = keyedList(list, item, { key })
  return { ...part, view: (state) => part.normalize?.(state) ?? {} }
}
