import type { Deployment } from '../deployment/deployment.ts'
import type { Exchange } from '../wire/http.ts'

/** Codes from before the contract's level, which servers have removed operation by operation. */
const formerCodes: ReadonlySet<unknown> = new Set(['REQUEST_VARIABLE_INVALID'])

/** Whether another server may answer with this code, although the contract does not list it. */
export function isFormerCode({ deployment }: { readonly deployment: Deployment }, code: unknown): boolean {
  return !deployment.isParley && deployment.level < deployment.contract.level && formerCodes.has(code)
}

/** Whether another server has one code for all wrong credentials (NOTE-43): one deviation for all operations. */
export function isOneCodeForAll(
  { deployment }: { readonly deployment: Deployment },
  { status, body }: Pick<Exchange, 'status' | 'body'>,
): boolean {
  return !deployment.isParley && status === 401 && body?.code === 'UNAUTHORIZED'
}
