import type { Schemas } from '../../generated/operations.ts'
import type { LogEvent } from '../events/log-event.ts'

/** The pictures that an organization has of itself, each with a default and perhaps one that was uploaded. */
const PICTURES = {
  icon: { defaultFile: 'icon.png', defaultSource: 'G' },
  logo: { defaultFile: 'logo.png', defaultSource: 'D' },
  night_logo: { defaultFile: 'logo-night.png', defaultSource: 'D' },
} as const
export type PictureKind = keyof typeof PICTURES
export const PICTURE_KINDS = Object.keys(PICTURES) as readonly PictureKind[]

/** Where each is that was uploaded, below the address of the server; null for the default. */
export type OrganizationPictures = Readonly<Record<PictureKind, string | null>>

export const NO_PICTURES: OrganizationPictures = { icon: null, logo: null, night_logo: null }

/** Under which address clients know the server. */
interface Served {
  readonly publicUrl: string
}

/** What is kept of one. */
export interface StoredPicture {
  /** That no other picture has, and nobody can guess; null: none is uploaded. */
  readonly key: string | null
  /** Another one for each change. */
  readonly version: number
}

export function pictureAddress({ key, version }: StoredPicture): string | null {
  return key === null ? null : `/user_avatars/realm/${pictureFileName(key)}?version=${version}`
}

function pictureFileName(key: string): string {
  return `${key}.png`
}

/** Where the picture of a file name is kept. */
export function picturePath(fileName: string): string {
  return `realm/${fileName}`
}

/** Where the picture of a key is kept. */
export function picturePathOf(key: string): string {
  return picturePath(pictureFileName(key))
}

/** Name of the static file that stands for a picture that was not uploaded; a bitmap, because mobile clients draw no SVG. */
export function defaultPictureFile(kind: PictureKind): string {
  return PICTURES[kind].defaultFile
}

/** The address that clients are told. */
export function pictureUrl(kind: PictureKind, address: string | null, { publicUrl }: Served): string {
  return address ?? `${publicUrl}/static/${PICTURES[kind].defaultFile}`
}

type PictureFields = Pick<Schemas['OrganizationSettingChanges'], `${PictureKind}_${'url' | 'source'}`>

/** What clients are told of one: `icon_url` and `icon_source`. */
export function pictureFields<Kind extends PictureKind>(kind: Kind, address: string | null, site: Served) {
  return {
    [`${kind}_url`]: pictureUrl(kind, address, site),
    [`${kind}_source`]: address === null ? PICTURES[kind].defaultSource : 'U',
  } as Required<Pick<PictureFields, `${Kind}_${'url' | 'source'}`>>
}

/** As they are after these events, in the order of the log. */
export function picturesAfter(pictures: OrganizationPictures, events: readonly LogEvent[]): OrganizationPictures {
  const after = { ...pictures }
  for (const event of events) {
    if (event.type !== 'realm' || event.op !== 'update_dict') continue
    const { property: kind, data } = event
    if (kind !== 'default') after[kind] = data[`${kind}_source`] === 'U' ? (data[`${kind}_url`] ?? null) : null
  }
  return after
}
