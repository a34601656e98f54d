import { Repository } from '../repository.ts'

/**
 * Small pictures that the server has made of what was uploaded. In the database, so that a picture and the row that names
 * it commit together, no orphans are left, and a backup has them of the same moment; each has some kilobytes.
 */
export class PictureReader extends Repository {
  /** Undefined when there is none. */
  async of(path: string): Promise<Uint8Array | undefined> {
    const row = await this.session.get<{ readonly bytes: Uint8Array }>('select bytes from picture where path = ?', [
      path,
    ])
    return row?.bytes
  }
}

export class PictureWriter extends PictureReader {
  /** @param path which no other picture has */
  async insert(path: string, bytes: Uint8Array): Promise<void> {
    // A Buffer, because one of the drivers takes no other array.
    await this.session.run('insert into picture (path, bytes) values (?, ?)', [path, Buffer.from(bytes)])
  }

  async remove(path: string): Promise<void> {
    await this.session.run('delete from picture where path = ?', [path])
  }
}
