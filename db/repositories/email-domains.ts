import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

/** Domains whose addresses may join. */
export class EmailDomainReader extends Repository {
  /** By name. */
  async all(): Promise<Schemas['EmailDomain'][]> {
    const rows = await this.session.all<{ domain: string; allow_subdomains: number }>(
      'select domain, allow_subdomains from email_domain order by domain',
    )
    return rows.map(({ domain, allow_subdomains }) => ({ domain, allow_subdomains: allow_subdomains === 1 }))
  }
}
