import { collected } from '../../worst-calls.generated.ts'
import type { WorstCalls } from './scene.ts'

/** For every operation of the contract: `npm run generate` reports an operation without one. */
export const WORST_CALLS: WorstCalls = Object.assign({}, ...collected)
