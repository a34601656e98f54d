import type { Schemas } from '../../generated/operations.ts'
import { Repository } from '../repository.ts'

/** Sites that run code. */
export class PlaygroundReader extends Repository {
  /** In the order in which they were made. */
  async all(): Promise<Schemas['Playground'][]> {
    return this.session.all('select id, name, pygments_language, url_template from playground order by id')
  }
}
