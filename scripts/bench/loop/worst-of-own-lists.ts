import { ownLists } from '../../../conformance/own-lists/all.ts'
import { type OwnList, operationsOf } from '../../../conformance/own-lists/own-list.ts'
import type { Scene, WorstCall } from './scene.ts'

/** The cost of each operation for an account that has the maximum. */
export const worstCalls: Readonly<Record<string, readonly [WorstCall]>> = Object.assign({}, ...ownLists.map(worstOf))

function worstOf(noun: OwnList): Readonly<Record<string, readonly [WorstCall]>> {
  const { list, item, worst } = noun
  if (worst === undefined) return {}
  const { most, fields } = worst
  const path = `/${list}`
  const operations = operationsOf(noun)
  /** Path of one of them. */
  const full = async ({ reader }: Scene): Promise<string> => {
    const rows = (await reader.must('GET', path))[list]
    let last = rows.at(-1)?.id
    for (let kept = rows.length; kept < most; kept += 1) {
      last = (await reader.must('POST', path, fields))[`${item}_id`]
    }
    return `${path}/${last}`
  }
  const make: WorstCall = {
    prepare: async (scene) => scene.reader.must('DELETE', await full(scene)),
    call: ({ reader }) => reader.post(path, fields),
  }
  return {
    [operations.all]: [{ prepare: full, call: ({ reader }) => reader.get(path) }],
    [operations.make]: [make],
    [operations.change]: [{ prepare: full, call: ({ reader }, one) => reader.patch(String(one), fields) }],
    [operations.remove]: [{ prepare: full, call: ({ reader }, one) => reader.delete(String(one)) }],
  }
}
