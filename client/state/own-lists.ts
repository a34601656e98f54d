import { byKey } from './order.ts'
import { type ClientPart, MisfitError } from './state.ts'

/** With an ID, by whichever name. */
export type OwnItem = object

/**
 * A list of one's own items: the name of the list at registration and in events, and that of a single item in events. What is
 * added comes as a list, or as a single item.
 * @param key the name of its ID, or of what else identifies it, in the item itself
 * @param gone the name of the same in the event that it went
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
