import { isDeepStrictEqual } from 'node:util'
import { entryIn, exportPatienceMs, leaveOutIfTooLarge, whenMade } from '../acts/data-exports.ts'
import { type Account, succeeded } from '../deployment/account.ts'
import { ids, type WrittenCheck } from '../kernel/check.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { effect } from '../kernel/effect.ts'
import { eventOf, hearsNothing, listen } from '../kernel/listening.ts'
import { clockOf, organizationOf, post, postTo } from '../kernel/messaging.ts'
import { withOwnSetting } from '../kernel/own-setting.ts'
import { belowAdministrator, newPerson } from '../kernel/people-of-roles.ts'
import { idOfNothing } from '../provocations/provocation.ts'
import type { Exchange } from '../wire/http.ts'
import { isRefused, type Json, listOf } from '../wire/values.ts'
import { by, refuses } from './outcomes.ts'
import { onlyAdministrators } from './users.ts'

const fields = [
  ...['acting_user_id', 'deleted_timestamp', 'export_time', 'export_type', 'export_url', 'failed_timestamp', 'id'],
  'pending',
]
const consent = 'allow_private_data_export'
/** Maximum number of exports a week (EXPORT-11), and a week in seconds. */
const [mostExports, week] = [5, 7 * 24 * 3600]

export const checks: readonly WrittenCheck[] = [
  {
    id: 'data-exports/rights',
    title: 'only administrators may export, and the number and size of exports are limited',
    requirements: ['EXPORT-1'],
    conditional: ids('EXPORT', [9, 10, 11]),
    async run(t) {
      const types = t.level < 449 ? [] : ['public', 'full_with_consent', 'full_without_consent']
      for (const person of await belowAdministrator(t)) {
        for (const values of [{}, ...types.map((export_type) => ({ export_type }))])
          onlyAdministrators(t, 'EXPORT-1', await person.call('start-data-export', values))
      }
      const administrator = t.person('administrator')
      if (!t.deployment.isLimited) {
        const answer = await administrator.call('start-data-export')
        if (!isRefused(answer)) return
        t.that('EXPORT-9', answer, answer.body?.code === 'BAD_REQUEST', '`BAD_REQUEST`: the organization is too large')
        const { msg } = answer.body ?? {}
        const isAdvice = !t.isParley || /^Please request a manual export from \S+@\S+\.$/.test(msg)
        t.that('EXPORT-10', answer, isAdvice, '`Please request a manual export from {email}.`')
        return
      }
      const listed = await administrator.must('get-data-exports')
      const since = clockOf(listed) - week + 3600 // clocks differ
      const recent = listOf(listed.body.exports).filter((one: Json) => one.export_time > since)
      // Using up the remaining exports would leave the organization without one for a week.
      if (recent.filter((one: Json) => typeof one.failed_timestamp !== 'number').length < mostExports) return
      const refused = await administrator.call('start-data-export')
      t.refusedWith('EXPORT-11', refused, 'Exceeded rate limit.')
    },
  },
  {
    id: 'data-exports/archives',
    title: 'an export contains public data, and private data of those who consented',
    requirements: [...ids('EXPORT', [2, 3, 4, 7, 8, 12]), 'REC-6', 'REC-9'],
    conditional: ['EXPORT-5', 'EXPORT-6'],
    also: ['start-data-export'],
    run: archives,
  },
  effect(
    ['get-data-exports', 'start-data-export', 'remove-data-export', 'get-export-consents', 'get-data-export-archive'],
    'exports and consents are announced to administrators, and a deleted export is gone',
    async (t, shows, { user, other }) => {
      const administrator = t.person('administrator')
      const queue = await listen(administrator, ['realm_export', 'realm_export_consent', 'message'])
      const others = await listen(other, ['realm_export', 'realm_export_consent', 'message'])
      await withOwnSetting(user, consent, async (set) => {
        for (const consented of [false, true, false]) {
          const before = await consentOf(administrator, user)
          await set(consented)
          const listed = await consentOf(administrator, user)
          shows(listed.exchange, listed.consented === consented, `\`consented\` ${consented} of user ${user.userId}`)
          if (before.consented === consented) continue
          await eventOf(shows, queue, { type: 'realm_export_consent', user_id: user.userId, consented })
        }
      })
      const id = await started(t, administrator)
      const isNew = (event: Json) => entryIn(event.exports, id)?.pending === true
      await eventOf(shows, queue, isNew, `of the new export ${id}`)
      const done = (await whenMade(queue, id)) ?? t.leaveOut('an export takes more than a minute')
      const listed = await administrator.must('get-data-exports')
      shows(listed, isDeepStrictEqual(entryIn(listed.body.exports, id), done.entry), `export ${id} as the event has it`)
      const path = await pathOf(t, done.entry.export_url)
      if (path !== undefined) {
        const archive = await t.deployment.send({ method: 'GET', path })
        shows(archive, archive.status === 200, 'the archive, for everybody who knows its address')
      }
      await administrator.must('remove-data-export', { export_id: id })
      const isGone = (one: Json) => one?.export_url === null && typeof one.deleted_timestamp === 'number'
      await eventOf(shows, queue, (event: Json) => isGone(entryIn(event.exports, id)), `that ${id} was deleted`)
      const after = await administrator.must('get-data-exports')
      shows(after, isGone(entryIn(after.body.exports, id)), `export ${id} without an archive, deleted`)
      if (path !== undefined) {
        const archive = await t.deployment.send({ method: 'GET', path })
        shows(archive, archive.status >= 400, 'no archive any more')
      }
      refuses(shows, await administrator.call('remove-data-export', { export_id: id }), 'it is deleted')
      const unknown = await administrator.call('remove-data-export', { export_id: idOfNothing })
      shows(unknown, unknown.status === 404, 'HTTP 404: there is no such export')
      await hearsNothing(shows, others, user, other)
    },
  ),
]

async function consentOf(administrator: Account, { userId }: Account) {
  const exchange = await administrator.must('get-export-consents')
  const found = listOf(exchange.body.export_consents).find((one: Json) => one.user_id === userId)
  return { exchange, consented: found?.consented }
}

/**
 * Starts a public export.
 *
 * @throws {LeftOutError} if the organization is too large for exports, or has used up those of this week
 */
async function started(t: CheckContext, administrator: Account): Promise<number> {
  const answer = await administrator.call('start-data-export')
  await leaveOutIfNone(t, administrator, answer)
  return succeeded('start-data-export', answer).body.id
}

async function leaveOutIfNone(t: CheckContext, administrator: Account, answer: Exchange): Promise<void> {
  leaveOutIfTooLarge(t, answer)
  if (!isRefused(answer) || !t.deployment.isLimited) return
  const listed = await administrator.must('get-data-exports')
  if (listOf(listed.body.exports).length >= mostExports) t.leaveOut('the organization has had its exports of this week')
}

/** As `URL.parse`, which Node 22.0 lacks. */
function urlOf(address: unknown, base?: string): URL | undefined {
  const text = String(address)
  return URL.canParse(text, base) ? new URL(text, base) : undefined
}

/** The path of an archive on this server; undefined if it is stored elsewhere. */
async function pathOf(t: CheckContext, address: unknown): Promise<string | undefined> {
  const url = urlOf(address, t.deployment.url)
  const { body } = await t.deployment.send({ method: 'GET', path: '/api/v1/server_settings' })
  const names = [t.deployment.url, body.realm_url ?? body.realm_uri]
  if (url && names.some((name) => urlOf(name)?.host === url.host)) return `${url.pathname}${url.search}`
  t.remarks.add('the archives are at another host')
  return undefined
}

async function archives(t: CheckContext): Promise<void> {
  const { user, other } = await t.scene()
  const administrator = t.person('administrator')
  // An owner of this check, whose consent no other run of the suite takes back.
  const owner = (await newPerson(t, 'owner')) ?? t.person('owner')
  if ([owner.userId, administrator.userId].includes(other.userId))
    t.leaveOut('needs somebody who is not an administrator')
  const word = (kind: string) => `${kind}${t.unique('export').replaceAll(/[^a-z0-9]/gi, '')}`
  const open = word('open')
  await post(other, await t.channel(other), 'export', open)
  /** Stores texts that only this person may read, each in another place. */
  const keeps = async (person: Account, kind: string): Promise<string[]> => {
    const texts = ['direct', 'closed', 'draft', 'snippet', 'alert'].map((place) => word(kind + place))
    const [direct = '', closed = '', draft, snippet, alert] = texts
    await postTo(person, [person], direct)
    await post(person, await t.channel(person, [], true), 'export', closed)
    await person.must('create-drafts', { drafts: [{ type: '', to: [], topic: '', content: draft }] })
    if (t.level >= 297) await person.must('create-saved-snippet', { title: 'Of a conformance run', content: snippet })
    await person.must('add-alert-words', { alert_words: [alert] })
    return texts.filter((text) => text !== snippet || t.level >= 297)
  }
  const [agreed, secret] = [await keeps(user, 'agreed'), await keeps(other, 'secret')]
  const made = (type?: string) => madeBy(t, administrator, type)
  /** @param wanted the texts that the archive must contain */
  const holds = (id: string, archive: Exchange | undefined, wanted: readonly string[]) => {
    if (archive === undefined) return
    for (const text of [open, ...agreed, ...secret]) {
      const isThere = archive.text.includes(text)
      const isMeant = wanted.includes(text)
      t.that(id, archive, isThere === isMeant, `${isMeant ? '' : 'no '}"${text}" in the archive`)
    }
  }
  for (const export_type of ['conformance', '1', '2']) {
    const refused = await administrator.call('start-data-export', { export_type })
    refuses(by(t, 'EXPORT-7'), refused, `there is no \`export_type\` "${export_type}"`)
  }
  await withOwnSetting(owner, consent, (setOwner) =>
    withOwnSetting(user, consent, (setUser) =>
      withOwnSetting(other, consent, async (setOther) => {
        await setOwner(true)
        await setUser(true)
        await setOther(false)
        holds('EXPORT-3', await made(), [open])
        if (t.level < 449) return
        holds('EXPORT-4', await made('full_with_consent'), [open, ...agreed])
        const organization = await organizationOf(administrator)
        if (organization.body.realm_owner_full_content_access === true) {
          holds('EXPORT-5', await made('full_without_consent'), [open, ...agreed, ...secret])
        } else {
          const refused = await owner.call('start-data-export', { export_type: 'full_without_consent' })
          refuses(by(t, 'EXPORT-6'), refused, '`realm_owner_full_content_access` is not true')
        }
      }),
    ),
  )
}

/** Makes an export and reads its archive; undefined if it cannot be read here. */
async function madeBy(t: CheckContext, administrator: Account, type: string | undefined) {
  const queue = await listen(administrator, ['realm_export'])
  const answer = await administrator.call('start-data-export', { ...(type !== undefined && { export_type: type }) })
  await leaveOutIfNone(t, administrator, answer)
  if (type !== undefined) t.that(idOf(type), answer, answer.status === 200, `a success with \`export_type\` "${type}"`)
  if (isRefused(answer)) return undefined
  const { id } = answer.body
  for (const requirement of ['EXPORT-8', 'REC-6']) t.that(requirement, answer, Number.isInteger(id), 'an integer `id`')
  const isOfIt = (event: Json) => event.type === 'realm_export' && entryIn(event.exports, id) !== undefined
  const first = await queue.until(isOfIt)
  const isTold = first.event !== undefined
  t.that('EXPORT-12', first.exchange, isTold, `a \`realm_export\` event with export ${id}`)
  const listed = await administrator.must('get-data-exports')
  const entry = entryIn(listed.body.exports, id)
  const known = fields.filter((name) => t.level >= 304 || name !== 'export_type')
  const isWhole = known.every((name) => entry?.[name] !== undefined)
  t.that('REC-9', listed, isWhole, `export ${id} with the fields ${known}`)
  const isMine = entry?.acting_user_id === administrator.userId && Number.isFinite(entry.export_time)
  t.that('REC-9', listed, isMine, `\`acting_user_id\` ${administrator.userId}, and a number as \`export_time\``)
  if (!isTold) return undefined // its end would not be announced either
  const wanted = type ?? 'public'
  const areOfIt = [entry, entryIn(first.event?.exports, id)].every((one) => one?.export_type === wanted)
  if (t.level >= 304) t.that(idOf(type), listed, areOfIt, `\`export_type\` "${wanted}", here and in the event`)
  const done = entry?.pending === false ? { entry } : await whenMade(queue, id)
  if (done === undefined) t.leaveOut(`an export takes more than ${exportPatienceMs / 1000} seconds`)
  const path = await pathOf(t, done.entry.export_url)
  const archive = path === undefined ? undefined : await t.deployment.send({ method: 'GET', path })
  await administrator.call('remove-data-export', { export_id: id })
  return archive
}

function idOf(type = 'public'): string {
  return type === 'public' ? 'EXPORT-2' : type === 'full_with_consent' ? 'EXPORT-4' : 'EXPORT-5'
}
