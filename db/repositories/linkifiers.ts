import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

interface LinkifierRow {
  readonly id: number
  readonly pattern: string
  readonly url_template: string
  readonly example_input: string | null
  readonly reverse_template: string | null
  readonly alternative_url_templates: string
}

/** Patterns whose matches in messages become links. */
export class LinkifierReader extends Repository {
  /** By their order, which decides between two that match. */
  async all(): Promise<Schemas['Linkifier'][]> {
    const rows = await this.session.all<LinkifierRow>('select * from linkifier order by position, id')
    return rows.map((row) => ({
      id: row.id,
      pattern: row.pattern,
      url_template: row.url_template,
      example_input: row.example_input,
      reverse_template: row.reverse_template,
      alternative_url_templates: JSON.parse(row.alternative_url_templates) as string[],
    }))
  }
}
