import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collectGarbage: (() => void) | undefined

/** Bytes in use on this process's heap, without garbage. */
export function heapInUse(): number {
  if (!collectGarbage) {
    setFlagsFromString('--expose-gc')
    collectGarbage = runInNewContext('gc') as () => void
  }
  collectGarbage()
  return process.memoryUsage().heapUsed
}
