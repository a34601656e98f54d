/** The module `parley-server/testing`, for tests of clients. */
import '../needed-node.ts'

// biome-ignore-start lint/performance/noBarrelFile: what a package offers stands in one place
export type { Answer, ApiClient, Parameters } from './api-client.ts'
export type { Failure } from './failures.ts'
export type { JournalEntry } from './journal.ts'
export type { Mistake, RuleName } from './mistakes.ts'
export { type ParleyOptions, type StandIn, startParley } from './start-parley.ts'
// biome-ignore-end lint/performance/noBarrelFile: as above
