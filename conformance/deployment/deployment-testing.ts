import { readContract } from '../wire/contract.ts'
import { Http, type Login } from '../wire/http.ts'
import { Pace } from '../wire/pace.ts'
import { Deployment } from './deployment.ts'

interface Accounts {
  readonly users: Readonly<Record<string, { readonly email: string; readonly api_key: string }>>
}

/** The logins of a server's accounts, as the suite takes them. */
export function loginsOf({ users }: Accounts): Login[] {
  return Object.values(users).map(({ email, api_key: apiKey }) => ({ email, apiKey }))
}

/** The deployment that a test's server is, with all its accounts. */
export function deploymentAt(
  { url, credentials }: { readonly url: string; readonly credentials: Accounts },
  http = new Http(url, new Pace()),
): Promise<Deployment> {
  return Deployment.open(http, readContract(), loginsOf(credentials))
}
