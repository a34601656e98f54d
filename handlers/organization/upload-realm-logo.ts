import { withPicture } from '../../actions/attachments/with-picture.ts'
import { changeOrganizationPicture } from '../../actions/organization/change-organization-picture.ts'
import type { Handler } from '../handler.ts'

/** Maximum width and height in pixels; the aspect ratio stays. */
const WITHIN = { width: 800, height: 100, fit: 'inside', format: 'png' } as const

/** POST /realm/logo. */
export const uploadRealmLogo: Handler<'upload-realm-logo'> = (context) =>
  withPicture(context, [WITHIN], async ({ key, variants, input }) => {
    const { write, site } = context
    const [bytes] = variants as readonly [Uint8Array]
    const kind = input.night ? 'night_logo' : 'logo'
    await write((tx) => changeOrganizationPicture(tx, kind, { key, bytes }, site))
    return {}
  })
