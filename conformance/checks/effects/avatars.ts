import { pictureOf } from '../../acts/custom-emoji.ts'
import { EventQueue } from '../../deployment/event-queue.ts'
import type { Check } from '../../kernel/check.ts'
import { effect } from '../../kernel/effect.ts'
import { fetched, fetchedInList, messageOf, post } from '../../kernel/messaging.ts'
import type { Json } from '../../wire/values.ts'
import { refusesWith } from '../outcomes.ts'

export const checks: readonly Check[] = [
  effect(
    ['upload-own-avatar', 'remove-own-avatar', 'get-avatar-picture'],
    'an uploaded avatar is shown to everybody at once, until it is deleted',
    async (t, shows, { other, channel }) => {
      const user = await t.newUser()
      const computing = { event_types: ['realm_user'], fetch_event_types: [], client_gravatar: true }
      const queue = await EventQueue.open(other, computing)
      const broken = await user.call('upload-own-avatar', { file: 'GIF89a is no picture' })
      refusesWith(shows, 'BAD_IMAGE', broken, 'that is not an image')
      const before = (await user.must('get-own-user')).body
      const versions = new Set([before.avatar_version])
      const id = await post(other, channel, t.unique('picture'), 'Who sees me?')
      /** Medium avatar URLs, by avatar URL. */
      const medium = new Map<string, Json>()
      /** Checks that all places show the same address, and returns it. */
      const isShown = async (answer: Json, isUploaded: boolean): Promise<string> => {
        const url = String(answer.body.avatar_url)
        const source = isUploaded ? ['U'] : ['G', 'J']
        const { event, exchange, lacked } = await queue.until(
          ({ person }: Json) => person?.user_id === user.userId && person.avatar_url === url,
        )
        shows(exchange, event !== undefined, `an event of user ${user.userId} with ${url}; but ${lacked}`)
        const { avatar_source: told, avatar_version: version } = event?.person ?? {}
        medium.set(url, event?.person.avatar_url_medium)
        shows(exchange, source.includes(told), `\`avatar_source\` is ${source.join(' or ')}`)
        shows(exchange, !versions.has(version), `\`avatar_version\` is none of ${[...versions].join(', ')}`)
        versions.add(version)
        const listed = await other.must('get-user', { user_id_or_email: String(user.userId), client_gravatar: true })
        const said = listed.body.user.avatar_url
        shows(listed, said === url || (!isUploaded && said === null), `\`avatar_url\` is ${url}`)
        const expected = `\`avatar_version\` is ${version}, as the event says`
        shows(listed, listed.body.user.avatar_version === version, expected)
        const own = await user.must('get-own-user')
        shows(own, own.body.avatar_url === url, `\`avatar_url\` is ${url}`)
        return url
      }
      const url = await isShown(await user.must('upload-own-avatar', { file: pictureOf(1) }), true)
      const pictures = async (isThere: boolean, addresses: readonly unknown[]): Promise<void> => {
        for (const address of addresses) {
          const picture = await t.deployment.send({ method: 'GET', path: String(address) })
          const isPicture = picture.status === 200 && picture.text.startsWith('\ufffdPNG')
          shows(picture, isPicture === isThere, `${isThere ? 'a' : 'no'} picture at ${address}`)
        }
      }
      const registered = await user.must('register-queue', { ...computing, fetch_event_types: ['realm_user'] })
      const { avatar_source: source, avatar_url: one, avatar_url_medium: larger } = registered.body
      shows(registered, source === 'U' && one === url, `\`avatar_source\` is U, \`avatar_url\` ${url}`)
      const isLarger = typeof larger === 'string' && larger !== url && larger === medium.get(url)
      shows(registered, isLarger, '`avatar_url_medium` as in the event of the upload')
      const isAbsolute = /^https?:/.test(url)
      const paths = isAbsolute ? [] : [url, larger]
      await pictures(true, paths)
      const said = await post(user, await t.channel(user), t.unique('picture'), 'Look at me.')
      for (const exchange of [await fetched(user, said), await fetchedInList(user, said, { client_gravatar: true })]) {
        const { avatar_url } = messageOf(exchange)
        shows(exchange, avatar_url === url, `\`avatar_url\` of user ${user.userId} is ${url}`)
      }
      const others = await fetched(other, id)
      shows(others, others.body.message.avatar_url !== url, `\`avatar_url\` is that of user ${other.userId}`)
      // To remove none counts as a change, too.
      for (let times = 0; times < 2; times += 1) await isShown(await user.must('remove-own-avatar'), false)
      await pictures(false, paths)
    },
  ),
]
