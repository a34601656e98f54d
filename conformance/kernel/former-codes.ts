import type { Deployment } from '../deployment/deployment.ts'
import type { Exchange } from '../wire/http.ts'

/** Codes that servers had before the level of the contract, and have given up one operation after the other. */
const formerCodes: ReadonlySet<unknown> = new Set(['REQUEST_VARIABLE_INVALID'])

/** Whether another server may answer with this code, although the contract does not list it. */
export function isFormerCode({ deployment }: { readonly deployment: Deployment }, code: unknown): boolean {
  return !deployment.isParley && deployment.level < deployment.contract.level && formerCodes.has(code)
}

/** Whether another server has one code for all credentials that do not work (NOTE-43): one deviation for all operations. */
export function isOneCodeForAll(
  { deployment }: { readonly deployment: Deployment },
  { status, body }: Pick<Exchange, 'status' | 'body'>,
): boolean {
  return !deployment.isParley && status === 401 && body?.code === 'UNAUTHORIZED'
}
