import { byKey } from './order.ts'
import { type ClientPart, MisfitError } from './state.ts'

/** An item with an ID. The name of that field differs. */
export type OwnItem = object

/**
 * A reducer for a list of the user's own items: it has one name in POST /register and in events, and another for a
 * single item in events. Additions come as a list or as a single item.
 *
 * @param key the field that identifies an item
 * @param gone the same field in the removal event
 */
export function ownList(
  list: string,
  item: string,
  key = 'id',
  gone = `${item}_id`,
): ClientPart<Record<string, OwnItem[]>> {
  const idOf = (one: OwnItem | undefined): string | number =>
    (one as Record<string, string | number> | undefined)?.[key] ?? ''
  const itemsOf = (state: Record<string, OwnItem[]>): OwnItem[] => state[list] ?? []
  const without = (state: Record<string, OwnItem[]>, id: string | number): OwnItem[] =>
    itemsOf(state).filter((one) => idOf(one) !== id)
  const inOrder = (state: Record<string, OwnItem[]>) => ({ [list]: byKey(itemsOf(state), idOf) })
  return {
    fetched: [list],
    empty: { [list]: [] },
    apply: {
      [`${list} add`]: (state, event: Record<string, OwnItem | OwnItem[]>) => {
        for (const one of [event[list] ?? event[item] ?? []].flat()) state[list] = [...without(state, idOf(one)), one]
      },
      [`${list} update`]: (state, event: Record<string, OwnItem>) => {
        const one = event[item]
        if (!one || !itemsOf(state).some((known) => idOf(known) === idOf(one))) {
          throw new MisfitError(`${item} ${idOf(one)} changed, which no event made known`)
        }
        state[list] = [...without(state, idOf(one)), one]
      },
      [`${list} remove`]: (state, event: Record<string, string | number>) => {
        state[list] = without(state, event[gone] ?? '')
      },
    },
    normalize: inOrder,
    view: inOrder,
  }
}
