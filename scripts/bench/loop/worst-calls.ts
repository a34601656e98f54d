import { collected } from '../../worst-calls.generated.ts'
import type { WorstCalls } from './scene.ts'

/** Of every operation of the contract: `npm run generate` names one without. */
export const WORST_CALLS: WorstCalls = Object.assign({}, ...collected)
