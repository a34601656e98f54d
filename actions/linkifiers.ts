import type { Tx } from '../db/repositories.ts'
import { BadRequestError } from '../domain/errors.ts'
import { InvalidFieldsError } from '../domain/invalid-fields.ts'
import { MAX_LINKIFIERS } from '../domain/limits.ts'
import { checkLinkifier } from '../domain/linkifiers/check-linkifier.ts'
import type { Linkifier } from '../domain/linkifiers/linkifiers.ts'

/** The given fields of a change; empty texts remove. */
export type LinkifierChange = { readonly [Name in keyof Omit<Linkifier, 'id'>]?: Linkifier[Name] | undefined }

/**
 * Adds a linkifier at the end, and announces it.
 *
 * @returns its ID
 * @throws {InvalidFieldsError} {BadRequestError} if there are too many
 */
export async function addLinkifier(tx: Tx, change: LinkifierChange & Pick<Linkifier, 'pattern' | 'url_template'>) {
  const known = await tx.linkifiers.all()
  const linkifier = changed(
    { pattern: '', url_template: '', example_input: null, reverse_template: null, alternative_url_templates: [] },
    change,
  )
  check(linkifier, known)
  if (known.length >= MAX_LINKIFIERS) {
    throw new BadRequestError(`An organization has at most ${MAX_LINKIFIERS} linkifiers.`)
  }
  const id = await tx.linkifiers.insert(linkifier)
  await tell(tx)
  return id
}

/** Changes the given fields of a linkifier. @throws {BadRequestError} if it does not exist; {InvalidFieldsError} */
export async function changeLinkifier(tx: Tx, id: number, change: LinkifierChange): Promise<void> {
  const known = await tx.linkifiers.all()
  const former = linkifierOf(known, id)
  const linkifier = { ...changed(former, change), id }
  check(
    linkifier,
    known.filter((one) => one !== former),
  )
  if (JSON.stringify({ ...former }) === JSON.stringify({ ...former, ...linkifier })) return
  await tx.linkifiers.update(linkifier)
  await tell(tx)
}

/** @throws {BadRequestError} if it does not exist */
export async function removeLinkifier(tx: Tx, id: number): Promise<void> {
  linkifierOf(await tx.linkifiers.all(), id)
  await tx.linkifiers.delete(id)
  await tell(tx)
}

/** @param ids of all linkifiers, each once @throws {BadRequestError} */
export async function reorderLinkifiers(tx: Tx, ids: readonly number[]): Promise<void> {
  if (new Set(ids).size !== ids.length)
    throw new BadRequestError('The ordered list must not contain duplicated linkifiers')
  const known = (await tx.linkifiers.all()).map(({ id }) => id)
  if (known.length !== ids.length || known.some((id) => !ids.includes(id))) {
    throw new BadRequestError('The ordered list must enumerate all existing linkifiers exactly once')
  }
  if (known.join() === ids.join()) return
  for (const [position, id] of ids.entries()) await tx.linkifiers.setPosition(id, position)
  await tell(tx)
}

function changed(former: Omit<Linkifier, 'id'>, change: LinkifierChange): Omit<Linkifier, 'id'> {
  const { example_input: example = former.example_input, reverse_template: reverse = former.reverse_template } = change
  return {
    pattern: change.pattern ?? former.pattern,
    url_template: change.url_template ?? former.url_template,
    example_input: example === '' ? null : example,
    reverse_template: reverse === '' ? null : reverse,
    alternative_url_templates: change.alternative_url_templates ?? former.alternative_url_templates,
  }
}

function check(linkifier: Omit<Linkifier, 'id'>, others: readonly Linkifier[]): void {
  checkLinkifier(linkifier)
  if (others.some(({ pattern }) => pattern === linkifier.pattern)) {
    throw new InvalidFieldsError({ __all__: ['A linkifier with this pattern already exists.'] })
  }
}

function linkifierOf(known: readonly Linkifier[], id: number): Linkifier {
  const found = known.find((one) => one.id === id)
  if (!found) throw new BadRequestError('Linkifier not found.')
  return found
}

async function tell(tx: Tx): Promise<void> {
  tx.events.append({ type: 'realm_linkifiers', realm_linkifiers: await tx.linkifiers.all() }, { to: 'everyone' })
}
