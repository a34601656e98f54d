import { byKey } from './order.ts'
import { type ClientPart, MisfitError } from './state.ts'

export interface OwnItem {
  readonly id: number
}

/**
 * A list of one's own items: the name of the list at registration and in events, and that of a single item in events. What is
 * added comes as a list, or as a single item.
 */
export function ownList(list: string, item: string): ClientPart<Record<string, OwnItem[]>> {
  const itemsOf = (state: Record<string, OwnItem[]>): OwnItem[] => state[list] ?? []
  const without = (state: Record<string, OwnItem[]>, id: number): OwnItem[] =>
    itemsOf(state).filter((one) => one.id !== id)
  const inOrder = (state: Record<string, OwnItem[]>) => ({ [list]: byKey(itemsOf(state), ({ id }) => id) })
  return {
    fetched: [list],
    empty: { [list]: [] },
    apply: {
      [`${list} add`]: (state, event: Record<string, OwnItem | OwnItem[]>) => {
        for (const one of [event[list] ?? event[item] ?? []].flat()) state[list] = [...without(state, one.id), one]
      },
      [`${list} update`]: (state, event: Record<string, OwnItem>) => {
        const one = event[item]
        if (!one || !itemsOf(state).some(({ id }) => id === one.id)) {
          throw new MisfitError(`${item} ${one?.id} changed, which no event made known`)
        }
        state[list] = [...without(state, one.id), one]
      },
      [`${list} remove`]: (state, event: Record<string, number>) => {
        state[list] = without(state, Number(event[`${item}_id`]))
      },
    },
    normalize: inOrder,
    view: inOrder,
  }
}
