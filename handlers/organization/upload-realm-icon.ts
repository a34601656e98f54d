import { withPicture } from '../../actions/attachments/with-picture.ts'
import { changeOrganizationPicture } from '../../actions/organization/change-organization-picture.ts'
import type { Handler } from '../handler.ts'

/** Width and height in pixels. */
const SIZE = 100
const SQUARE = { width: SIZE, height: SIZE, fit: 'cover', format: 'png' } as const

/** POST /realm/icon. */
export const uploadRealmIcon: Handler<'upload-realm-icon'> = (context) =>
  withPicture(context, [SQUARE], async ({ key, variants }) => {
    const { write, site } = context
    const [bytes] = variants as readonly [Uint8Array]
    return { icon_url: await write((tx) => changeOrganizationPicture(tx, 'icon', { key, bytes }, site)) }
  })
