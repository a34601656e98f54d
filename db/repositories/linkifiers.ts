import type { Linkifier } from '../../domain/linkifiers/linkifiers.ts'
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
  /** In the order of precedence between two matches. */
  async all(): Promise<Linkifier[]> {
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

export class LinkifierWriter extends LinkifierReader {
  /** Adds it at the end. @returns its ID, which is never used again */
  async insert(linkifier: Omit<Linkifier, 'id'>): Promise<number> {
    const last = await this.session.get<{ position: number | null }>('select max(position) as position from linkifier')
    const { insertId } = await this.session.run(
      `insert into linkifier (pattern, url_template, example_input, reverse_template, alternative_url_templates, position)
       values (?, ?, ?, ?, ?, ?)`,
      [...values(linkifier), (last?.position ?? -1) + 1],
    )
    return insertId
  }

  async update(linkifier: Linkifier): Promise<void> {
    await this.session.run(
      `update linkifier set pattern = ?, url_template = ?, example_input = ?, reverse_template = ?,
         alternative_url_templates = ? where id = ?`,
      [...values(linkifier), linkifier.id],
    )
  }

  async setPosition(id: number, position: number): Promise<void> {
    await this.session.run('update linkifier set position = ? where id = ?', [position, id])
  }

  async delete(id: number): Promise<void> {
    await this.session.run('delete from linkifier where id = ?', [id])
  }
}

function values(linkifier: Omit<Linkifier, 'id'>): (string | null)[] {
  const { pattern, url_template, example_input, reverse_template, alternative_url_templates } = linkifier
  return [pattern, url_template, example_input, reverse_template, JSON.stringify(alternative_url_templates)]
}
