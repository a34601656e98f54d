import type { Account } from '../deployment/account.ts'
import { nothing, ourKind } from '../laws/action-kind.ts'
import { fileNameOf, pictureOf } from './custom-emoji.ts'
import type { Requests } from './right-request.ts'

/** Uploads an avatar. @returns its address */
async function uploadAvatar(user: Account): Promise<string> {
  const { body } = await user.must('upload-own-avatar', { file: pictureOf(1) })
  return String(body.avatar_url)
}

export const requests: Requests = {
  'upload-own-avatar': async (_, t) => ({ as: await t.newUser(), values: { file: pictureOf(1) } }),
  'remove-own-avatar': async (_, t) => ({ as: await t.newUser(), values: {} }),
  'get-avatar-picture': async (_, t) => ({ file_name: fileNameOf(await uploadAvatar(await t.newUser())) }),
}

export const actions = [
  ourKind('upload picture', nothing, (world, { who }) =>
    world.person(who).call('upload-own-avatar', { file: pictureOf(1) }),
  ),
  ourKind('remove picture', nothing, (world, { who }) => world.person(who).call('remove-own-avatar')),
]
