import type { Schemas } from '../../generated/operations.ts'
import type { LogEvent } from '../events/log-event.ts'

/** Pictures of an organization, each with a default. */
const PICTURES = {
  icon: { defaultFile: 'icon.png', defaultSource: 'G' },
  logo: { defaultFile: 'logo.png', defaultSource: 'D' },
  night_logo: { defaultFile: 'logo-night.png', defaultSource: 'D' },
} as const
export type PictureKind = keyof typeof PICTURES
export const PICTURE_KINDS = Object.keys(PICTURES) as readonly PictureKind[]

/** Addresses of uploaded pictures below the address of the server; null for the default. */
export type OrganizationPictures = Readonly<Record<PictureKind, string | null>>

export const NO_PICTURES: OrganizationPictures = { icon: null, logo: null, night_logo: null }

/** The address of the server for clients. */
interface Served {
  readonly publicUrl: string
}

/** The stored data of a picture. */
export interface StoredPicture {
  /** Unique, and impossible to guess; null if none is uploaded. */
  readonly key: string | null
  /** Changes with each picture. */
  readonly version: number
}

export function pictureAddress({ key, version }: StoredPicture): string | null {
  return key === null ? null : `/user_avatars/realm/${pictureFileName(key)}?version=${version}`
}

function pictureFileName(key: string): string {
  return `${key}.png`
}

/** Path of the picture of a file name. */
export function picturePath(fileName: string): string {
  return `realm/${fileName}`
}

/** Path of the picture of a key. */
export function picturePathOf(key: string): string {
  return picturePath(pictureFileName(key))
}

/** Returns the static file of a default picture. It is a bitmap, because mobile clients cannot draw SVG. */
export function defaultPictureFile(kind: PictureKind): string {
  return PICTURES[kind].defaultFile
}

/** Returns the address for clients. */
export function pictureUrl(kind: PictureKind, address: string | null, { publicUrl }: Served): string {
  return address ?? `${publicUrl}/static/${PICTURES[kind].defaultFile}`
}

type PictureFields = Pick<Schemas['OrganizationSettingChanges'], `${PictureKind}_${'url' | 'source'}`>

/** Returns the fields for clients: `icon_url` and `icon_source`. */
export function pictureFields<Kind extends PictureKind>(kind: Kind, address: string | null, site: Served) {
  return {
    [`${kind}_url`]: pictureUrl(kind, address, site),
    [`${kind}_source`]: address === null ? PICTURES[kind].defaultSource : 'U',
  } as Required<Pick<PictureFields, `${Kind}_${'url' | 'source'}`>>
}

/** Returns the pictures after these events, in the order of the log. */
export function picturesAfter(pictures: OrganizationPictures, events: readonly LogEvent[]): OrganizationPictures {
  const after = { ...pictures }
  for (const event of events) {
    if (event.type !== 'realm' || event.op !== 'update_dict') continue
    const { property: kind, data } = event
    if (kind !== 'default') after[kind] = data[`${kind}_source`] === 'U' ? (data[`${kind}_url`] ?? null) : null
  }
  return after
}
