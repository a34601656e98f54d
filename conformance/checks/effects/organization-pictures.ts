import { pictureOf } from '../../acts/custom-emoji.ts'
import type { Account } from '../../deployment/account.ts'
import { described } from '../../deployment/described.ts'
import type { EventQueue } from '../../deployment/event-queue.ts'
import { type PictureKind, picturesOfTheirs, SOURCE_BY_DEFAULT } from '../../deployment/organization-pictures.ts'
import type { Check } from '../../kernel/check.ts'
import type { CheckContext } from '../../kernel/check-context.ts'
import { effect, type Shows } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import type { Exchange } from '../../wire/http.ts'
import { refusesWith } from '../outcomes.ts'

const PNG = '\ufffdPNG'

/** Pictures belong to the organization, and other checks upload and remove them, too: these checks come last. */
export const checks: readonly Check[] = [
  {
    ...effect(
      ['upload-realm-icon', 'remove-realm-icon', 'get-realm-icon', 'get-realm-picture'],
      'an uploaded icon is shown to everybody at once, and the default one after its removal',
      (t, shows) => t.unlessDisturbed(() => iconIsShown(t, shows)),
    ),
    isForAll: true,
  },
  {
    ...effect(
      ['upload-realm-logo', 'remove-realm-logo', 'get-realm-logo'],
      'each of the two uploaded logos is shown to everybody, and the default one after its removal',
      (t, shows) => t.unlessDisturbed(() => logosAreShown(t, shows)),
    ),
    isForAll: true,
  },
]

async function iconIsShown(t: CheckContext, shows: Shows): Promise<void> {
  const admin = t.person('administrator')
  const { user } = await t.scene()
  await nothingIsLost(t, user, ['icon'])
  const queue = await listen(user, ['realm'])
  const broken = await admin.call('upload-realm-icon', { file: 'GIF89a is no picture' })
  refusesWith(shows, 'BAD_IMAGE', broken, 'that is not an image')
  const seen = new Set<string>()
  const isShown = async (changed: Exchange, isUploaded: boolean): Promise<string> => {
    const url = await isTold(shows, user, queue, 'icon', isUploaded)
    shows(changed, changed.body.icon_url === url, `\`icon_url\` is ${url}, as everybody is told`)
    const before = await t.deployment.send({ method: 'GET', path: '/api/v1/server_settings' })
    shows(before, before.body.realm_icon === url, `\`realm_icon\` is ${url}`)
    isPicture(shows, await user.call('get-realm-icon'))
    return url
  }
  try {
    for (let count = 0; count < 2; count += 1) {
      const uploaded = await admin.must('upload-realm-icon', { file: pictureOf(1) })
      const url = await isShown(uploaded, true)
      shows(uploaded, !seen.has(url), `another \`icon_url\` than ${[...seen].join(', ')}`)
      seen.add(url)
    }
    const [former, present] = [...seen]
    for (const [url, isThere] of [
      [former, false],
      [present, true],
    ] as const) {
      const picture = await t.deployment.send({ method: 'GET', path: String(url) })
      shows(picture, (picture.status === 200) === isThere, `${isThere ? 'a' : 'no'} picture at ${url}`)
      if (isThere) isPicture(shows, picture)
    }
  } finally {
    await isShown(await admin.must('remove-realm-icon'), false)
  }
}

async function logosAreShown(t: CheckContext, shows: Shows): Promise<void> {
  const admin = t.person('administrator')
  const { user } = await t.scene()
  await nothingIsLost(t, user, ['logo', 'night_logo'])
  const queue = await listen(user, ['realm'])
  const broken = await admin.call('upload-realm-logo', { file: 'GIF89a is no picture' })
  refusesWith(shows, 'BAD_IMAGE', broken, 'that is not an image')
  try {
    for (const kind of ['logo', 'night_logo'] as const) {
      const night = kind === 'night_logo'
      const uploaded = await admin.must('upload-realm-logo', { night, file: pictureOf(1) })
      shows(uploaded, uploaded.body.ignored_parameters_unsupported === undefined, 'nothing ignored')
      const url = await isTold(shows, user, queue, kind, true)
      const named = await user.call('get-realm-logo', { night })
      for (const picture of [await pictureAt(t, url), await shownBy(t, named)]) if (picture) isPicture(shows, picture)
    }
  } finally {
    for (const kind of ['night_logo', 'logo'] as const) {
      await admin.must('remove-realm-logo', { night: kind === 'night_logo' })
      await isTold(shows, user, queue, kind, false)
    }
  }
}

async function nothingIsLost(t: CheckContext, reader: Account, kinds: readonly PictureKind[]): Promise<void> {
  const theirs = await picturesOfTheirs(t.deployment, reader)
  const lost = kinds.filter((kind) => theirs.includes(kind))
  if (lost.length > 0) t.leaveOut(`the organization has uploaded: ${lost.join(', ')}`)
}

/** Checks that event and registration show the picture. @returns its address */
async function isTold(shows: Shows, reader: Account, queue: EventQueue, kind: PictureKind, isUploaded: boolean) {
  const told = await eventOf(shows, queue, { type: 'realm', op: 'update_dict' })
  const { property, data = {} } = told?.event ?? {}
  const [url, source] = [`${kind}_url`, `${kind}_source`]
  const isWhole = property === kind && Object.keys(data).sort().join() === [source, url].join()
  const wanted = isUploaded ? 'U' : SOURCE_BY_DEFAULT[kind]
  if (told) {
    shows(told.exchange, isWhole, `\`property\` is ${kind}, and \`data\` has ${url} and ${source}`)
    shows(told.exchange, data[source] === wanted, `\`${source}\` is ${wanted}`)
  }
  const state = await described(reader, ['realm'])
  shows(state, state.body[`realm_${source}`] === wanted, `\`realm_${source}\` is ${wanted}`)
  shows(state, state.body[`realm_${url}`] === data[url], `\`realm_${url}\` is ${data[url]}`)
  return String(data[url])
}

/** The content at an address that the server sent; undefined if it is elsewhere, such as in an external store. */
async function pictureAt(t: CheckContext, place: string): Promise<Exchange | undefined> {
  const { origin, pathname, search } = new URL(place, t.deployment.url)
  if (origin !== new URL(t.deployment.url).origin) return undefined
  return t.deployment.send({ method: 'GET', path: pathname + search })
}

/** The picture in the answer, or the one that other servers redirect to, which the contract allows. */
async function shownBy(t: CheckContext, exchange: Exchange): Promise<Exchange | undefined> {
  const place = exchange.headers.get('Location')
  return t.deployment.isParley || place === null ? exchange : pictureAt(t, place)
}

function isPicture(shows: Shows, exchange: Exchange): void {
  shows(exchange, exchange.status === 200 && exchange.text.startsWith(PNG), 'a picture')
}
