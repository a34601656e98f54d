import { newEmojiName } from '../acts/custom-emoji.ts'
import { validRequest } from '../acts/valid-request.ts'
import { type Account, requestOf } from '../deployment/account.ts'
import { described } from '../deployment/described.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import type { Operation } from '../wire/contract.ts'
import type { Exchange } from '../wire/http.ts'
import { callAsUser, choice, forbidden, type OwnProvocations } from './provocation.ts'

const sixMib = 'x'.repeat(6 * 1024 * 1024)
const noSuchFile: OwnProvocations[string] = {
  '404 BAD_REQUEST': { send: callAsUser({ file_name: 'conformance.none' }) },
}

/** How to provoke refusals of operations on files. */
export const ofFiles: OwnProvocations = {
  'upload-file': {
    '400 BAD_REQUEST': { send: callAsUser({}) },
    '413 BAD_REQUEST': choice(uploadTooMuch),
    '415 BAD_REQUEST': choice((t) => sendText(t, '/user_uploads')),
  },
  'add-custom-emoji': {
    '413 BAD_REQUEST': choice(callAsUser((t) => ({ emoji_name: newEmojiName(t), file: sixMib }))),
    '415 BAD_REQUEST': choice((t) => sendText(t, `/realm/emoji/${newEmojiName(t)}`)),
  },
  'upload-own-avatar': {
    '413 BAD_REQUEST': choice(callAsUser({ file: sixMib })),
    '415 BAD_REQUEST': choice((t) => sendText(t, '/users/me/avatar')),
  },
  'upload-realm-icon': ofPicture('/realm/icon'),
  'upload-realm-logo': ofPicture('/realm/logo'),
  'get-realm-picture': noSuchFile,
  'get-avatar-picture': noSuchFile,
  'get-emoji-picture': noSuchFile,
  'get-still-emoji-picture': noSuchFile,
  'get-static-file': noSuchFile,
  'get-temporary-link': {
    '404 BAD_REQUEST': forbidden(callAsUser({ realm_id_str: '1', filename: 'conformance/none.txt' })),
  },
  'get-uploaded-file': {
    '404 BAD_REQUEST': forbidden(callAsUser({ realm_id_str: '1', file_key: 'conformance', file_name: 'none.txt' })),
    '416 BAD_REQUEST': { send: readBeyondEnd },
  },
  'get-thumbnail': {
    '404 BAD_REQUEST': forbidden(
      callAsUser({
        realm_id_str: '1',
        file_key: 'conformance',
        file_name: 'none.png',
        thumbnail_format: '840x560.webp',
      }),
    ),
    '416 BAD_REQUEST': { send: readBeyondEnd },
  },
  'get-thumbnail-status': {
    '404 BAD_REQUEST': forbidden(callAsUser({ realm_id_str: '1', filename: 'conformance/none.png' })),
  },
  'get-temporary-file': ofLink('/user_uploads/temporary/1/conformance/1/conformance/none.txt'),
  'get-data-export-archive': ofLink('/data_exports/conformance/none.tar.gz'),
}

/** Pictures of the organization, which administrators upload. */
function ofPicture(path: string): OwnProvocations[string] {
  return {
    '413 BAD_REQUEST': choice((t, { id }) => t.person('administrator').call(id, { file: sixMib })),
    '415 BAD_REQUEST': choice((t) => sendText(t, path, t.person('administrator'))),
  }
}

/** Files for everybody who has the link; this link leads nowhere. */
function ofLink(path: string): OwnProvocations[string] {
  return {
    '404 BAD_REQUEST': forbidden((t) => t.deployment.send({ method: 'GET', path })),
    '416 BAD_REQUEST': { send: readBeyondEnd },
  }
}

/** Sends text instead of a form with a file. */
async function sendText(t: CheckContext, path: string, by?: Account): Promise<Exchange> {
  const raw = { type: 'text/plain', body: 'a text' }
  return (by ?? (await t.scene()).user).send({ method: 'POST', path: `/api/v1${path}`, raw })
}

/** Requests a range beyond the end of a file. */
async function readBeyondEnd(t: CheckContext, operation: Operation): Promise<Exchange> {
  const { as, values } = await validRequest(t, operation)
  return as.send({ ...requestOf(operation, values), range: 'bytes=99999999999-' })
}

/** The largest file that is worth sending to see it refused. */
const mostMib = 30

async function uploadTooMuch(t: CheckContext): Promise<Exchange> {
  const { user } = await t.scene()
  const { body } = await described(user, ['realm'])
  const limitMib = Number(body.max_file_upload_size_mib)
  if (!(limitMib <= mostMib)) t.leaveOut(`needs a file of more than ${limitMib} MiB`)
  return user.call('upload-file', { file: 'x'.repeat(limitMib * 1024 * 1024 + 1) })
}
