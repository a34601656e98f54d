import type { OperationId } from '../../../generated/operations.ts'
import type { Scene, WorstCall, WorstCalls } from './scene.ts'

/** Rows that people keep for themselves, made one by one. */
interface OwnRows {
  /** Of the list, and of what makes one; with an ID after it, of one. */
  readonly path: string
  /** The list in the answer, and where what makes one answers with the ID. */
  readonly list: string
  readonly id: string
  readonly all: OperationId
  readonly make: OperationId
  readonly change: OperationId
  readonly remove: OperationId
  /** As many as an account keeps, and one as long as so many may be. */
  readonly most: number
  readonly given: Readonly<Record<string, unknown>>
}

/** What each operation costs somebody who has as many as an account keeps. */
export function worstOfOwnRows({ path, list, id, all, make, change, remove, most, given }: OwnRows): WorstCalls {
  /** Path of one of them. */
  const full = async ({ reader }: Scene): Promise<string> => {
    const rows = (await reader.must('GET', path))[list]
    let last = rows.at(-1)?.id
    for (let kept = rows.length; kept < most; kept += 1) last = (await reader.must('POST', path, given))[id]
    return `${path}/${last}`
  }
  const calls: Record<keyof Pick<OwnRows, 'all' | 'make' | 'change' | 'remove'>, WorstCall> = {
    all: { prepare: full, call: ({ reader }) => reader.get(path) },
    make: {
      prepare: async (scene) => scene.reader.must('DELETE', await full(scene)),
      call: ({ reader }) => reader.post(path, given),
    },
    change: { prepare: full, call: ({ reader }, one) => reader.patch(String(one), given) },
    remove: { prepare: full, call: ({ reader }, one) => reader.delete(String(one)) },
  }
  return { [all]: [calls.all], [make]: [calls.make], [change]: [calls.change], [remove]: [calls.remove] }
}
