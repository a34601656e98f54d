import type { Account } from './account.ts'
import { described } from './described.ts'

/** The part of a deployment that is needed here. */
interface Deployment {
  atLeast(role: 'administrator'): Account | undefined
}

/** The value of `…_source` for each kind of default picture. */
export const SOURCE_BY_DEFAULT = { icon: 'G', logo: 'D', night_logo: 'D' } as const
export type PictureKind = keyof typeof SOURCE_BY_DEFAULT
const KINDS = Object.keys(SOURCE_BY_DEFAULT) as readonly PictureKind[]

const seen = new WeakMap<Deployment, Promise<readonly PictureKind[]>>()

/**
 * The pictures that the organization had uploaded before the run. They could not be restored, so no check changes them.
 */
export function picturesOfTheirs(deployment: Deployment, reader: Account): Promise<readonly PictureKind[]> {
  const known = seen.get(deployment) ?? uploaded(reader)
  seen.set(deployment, known)
  return known
}

async function uploaded(reader: Account): Promise<readonly PictureKind[]> {
  const { body } = await described(reader, ['realm'])
  return KINDS.filter((kind) => body[`realm_${kind}_source`] !== SOURCE_BY_DEFAULT[kind])
}

/** Removes pictures that the run may have uploaded. */
export async function removePictures(deployment: Deployment): Promise<void> {
  const admin = deployment.atLeast('administrator')
  const theirs = await seen.get(deployment)
  if (admin === undefined || theirs === undefined) return
  for (const kind of KINDS) {
    if (theirs.includes(kind)) continue
    if (kind === 'icon') await admin.call('remove-realm-icon')
    else await admin.call('remove-realm-logo', { night: kind === 'night_logo' })
  }
}
