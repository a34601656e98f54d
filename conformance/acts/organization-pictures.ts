import fc from 'fast-check'
import type { Values } from '../deployment/account.ts'
import { picturesOfTheirs } from '../deployment/organization-pictures.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { ourKind } from '../laws/action-kind.ts'
import { fileNameOf, pictureOf } from './custom-emoji.ts'
import type { Requests } from './right-request.ts'

/** Values for operations that change a picture, without losing one. */
async function sparing(t: CheckContext, values: Values): Promise<Values> {
  const theirs = await picturesOfTheirs(t.deployment, t.person('administrator'))
  if (theirs.length > 0) t.leaveOut(`the organization has uploaded: ${theirs.join(', ')}`)
  return values
}

/** Uploads an icon. @returns the name of its file */
async function uploadedIcon(t: CheckContext): Promise<string | undefined> {
  await sparing(t, {})
  const { body } = await t.person('administrator').must('upload-realm-icon', { file: pictureOf(1) })
  return fileNameOf(String(body.icon_url))
}

export const requests: Requests = {
  'upload-realm-icon': (_, t) => sparing(t, { file: pictureOf(1) }),
  'remove-realm-icon': (_, t) => sparing(t, {}),
  'upload-realm-logo': (_, t) => sparing(t, { file: pictureOf(1) }),
  'remove-realm-logo': (_, t) => sparing(t, {}),
  'get-realm-picture': async (_, t) => ({ file_name: await uploadedIcon(t) }),
}

export const actions = [
  ourKind(
    'change picture of organization',
    ({ manager }) => ({ by: manager, picture: fc.constantFrom('icon', 'logo', 'night logo'), isRemoved: fc.boolean() }),
    (world, { by, picture, isRemoved }) => {
      const night = picture === 'icon' ? {} : { night: picture === 'night logo' }
      const operation = `${isRemoved ? 'remove' : 'upload'}-realm-${picture === 'icon' ? 'icon' : 'logo'}`
      return world.manager(by)?.call(operation, { ...night, ...(!isRemoved && { file: pictureOf(1) }) })
    },
  ),
]
