import { rowsFor } from '../pieces.ts'
import { Repository } from '../repository.ts'

interface PictureRow {
  readonly path: string
  readonly bytes: Uint8Array
}

/**
 * Small pictures that the server made of uploads. They are in the database, so that a picture and the row that names it
 * commit together, no orphans are left, and a backup has both from the same moment. Each has some kilobytes.
 */
export class PictureReader extends Repository {
  /** Returns undefined if it does not exist. */
  async of(path: string): Promise<Uint8Array | undefined> {
    const sql = (list: string) => `select path, bytes from picture where path in ${list}`
    const [row] = await rowsFor<PictureRow>(this.session, [path], sql, { exactly: 'path' })
    return row?.bytes
  }
}

export class PictureWriter extends PictureReader {
  /** @param path unique */
  async insert(path: string, bytes: Uint8Array): Promise<void> {
    // A Buffer, because one of the drivers accepts no other array.
    await this.session.run('insert into picture (path, bytes) values (?, ?)', [path, Buffer.from(bytes)])
  }

  async remove(path: string): Promise<void> {
    await this.session.run('delete from picture where path = ?', [path])
  }
}
