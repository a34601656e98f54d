import type { Playground } from '../../domain/playgrounds.ts'
import { Repository } from '../repository.ts'

/** Sites that run code. */
export class PlaygroundReader extends Repository {
  /** In the order in which they were added. */
  async all(): Promise<Playground[]> {
    return this.session.all('select id, name, pygments_language, url_template from playground order by id')
  }
}

export class PlaygroundWriter extends PlaygroundReader {
  /** @returns its ID, which is never used again */
  async insert({ name, pygments_language, url_template }: Omit<Playground, 'id'>): Promise<number> {
    const { insertId } = await this.session.run(
      'insert into playground (name, pygments_language, url_template) values (?, ?, ?)',
      [name, pygments_language, url_template],
    )
    return insertId
  }

  /** @returns false if it does not exist */
  async delete(id: number): Promise<boolean> {
    return (await this.session.knex('playground').where({ id }).delete()) > 0
  }
}
