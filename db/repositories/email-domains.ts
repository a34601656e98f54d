import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

type EmailDomain = Schemas['EmailDomain']

interface Row {
  readonly domain: string
  readonly allow_subdomains: number
}

/** E-mail domains whose addresses may join. */
export class EmailDomainReader extends Repository {
  /** By name. */
  async all(): Promise<EmailDomain[]> {
    const rows = await this.session.all<Row>('select domain, allow_subdomains from email_domain order by domain')
    return rows.map(fromRow)
  }

  async find(domain: string): Promise<EmailDomain | undefined> {
    const row = await this.session.get<Row>('select domain, allow_subdomains from email_domain where domain = ?', [
      domain,
    ])
    return row && fromRow(row)
  }
}

export class EmailDomainWriter extends EmailDomainReader {
  /** Returns the new id. */
  async insert({ domain, allow_subdomains }: EmailDomain): Promise<number> {
    const { insertId } = await this.session.run('insert into email_domain (domain, allow_subdomains) values (?, ?)', [
      domain,
      allow_subdomains ? 1 : 0,
    ])
    return insertId
  }

  async update({ domain, allow_subdomains }: EmailDomain): Promise<void> {
    const values = [allow_subdomains ? 1 : 0, domain]
    await this.session.run('update email_domain set allow_subdomains = ? where domain = ?', values)
  }

  async delete(domain: string): Promise<void> {
    await this.session.run('delete from email_domain where domain = ?', [domain])
  }
}

function fromRow({ domain, allow_subdomains }: Row): EmailDomain {
  return { domain, allow_subdomains: allow_subdomains === 1 }
}
