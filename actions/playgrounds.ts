import type { Tx } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import { InvalidFieldsError } from '../domain/invalid-fields.ts'
import { MAX_PLAYGROUNDS } from '../domain/limits.ts'
import { checkPlayground, type Playground } from '../domain/playgrounds.ts'

/**
 * Adds a playground, and announces it.
 *
 * @returns its ID
 * @throws {InvalidFieldsError} {BadRequestError} if it is invalid, exists already (PLAYGROUND-10), or there are too
 * many
 */
export async function addPlayground(tx: Tx, given: Omit<Playground, 'id'>): Promise<number> {
  const playground = { ...given, name: given.name.trim(), pygments_language: given.pygments_language.trim() }
  const { name, pygments_language, url_template } = playground
  checkPlayground(playground)
  const known = await tx.playgrounds.all()
  if (known.some((one) => one.name === name && one.pygments_language === pygments_language)) {
    throw new InvalidFieldsError({ __all__: ['A playground of this language and name already exists.'] })
  }
  if (known.length >= MAX_PLAYGROUNDS) {
    throw new BadRequestError(`An organization has at most ${MAX_PLAYGROUNDS} playgrounds.`)
  }
  const id = await tx.playgrounds.insert({ name, pygments_language, url_template })
  await tell(tx)
  return id
}

/** @throws {BadRequestError} if it does not exist */
export async function removePlayground(tx: Tx, id: number): Promise<void> {
  if (!(await tx.playgrounds.delete(id))) throw new BadRequestError('Invalid playground')
  await tell(tx)
}

async function tell(tx: Tx): Promise<void> {
  tx.events.append({ type: 'realm_playgrounds', realm_playgrounds: await tx.playgrounds.all() }, { to: 'everyone' })
}
