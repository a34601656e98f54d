import { ApiClient } from '../../../server/testing.ts'
import type { Scene, WorstCalls } from './scene.ts'

const MOST = 500
const address = (scene: Scene) => `${scene.unique('invited').replaceAll(' ', '-')}@parley.example`
/** The product of channels and addresses is limited. */
const terms = ({ organization }: Scene, channels = 1000) => ({ stream_ids: organization.channelIds.slice(0, channels) })

/** The maximum number of open invitations for an account, and the id of the newest. */
async function full(scene: Scene): Promise<number> {
  const owner = scene.as('owner')
  await scene.once('invitations', () => invite(scene, MOST - 1))
  const { invites } = await owner.must('GET', '/invites')
  const own = invites.filter((one: { email?: string }) => one.email !== undefined)
  if (own.length >= MOST - 1) return own.at(-1).id
  await invite(scene, MOST - 1 - own.length)
  return full(scene)
}

const invite = (scene: Scene, count: number) =>
  scene.as('owner').must('POST', '/invites', { invitee_emails: addresses(scene, count), ...terms(scene, 40) })

const addresses = (scene: Scene, count: number) => Array.from({ length: count }, () => address(scene)).join()

/** A new invitation link for a thousand channels, with its key. */
async function newLink(scene: Scene) {
  const owner = scene.as('owner')
  await withoutLinks(scene)
  const { invite_link } = await owner.must('POST', '/invites/multiuse', terms(scene))
  const { invites } = await owner.must('GET', '/invites')
  const { id } = invites.findLast((one: { link_url: string }) => one.link_url === invite_link)
  return { id: id as number, key: /\/join\/(\w+)$/.exec(invite_link)?.[1] ?? '' }
}

/** Leaves room for one more. */
async function withoutLinks(scene: Scene): Promise<void> {
  const owner = scene.as('owner')
  const { invites } = await owner.must('GET', '/invites')
  for (const { id, is_multiuse } of invites) if (is_multiuse) await owner.must('DELETE', `/invites/multiuse/${id}`)
}

export const worstCalls: WorstCalls = {
  'get-invitations': [{ what: '499', prepare: full, call: (scene) => scene.as('owner').get('/invites') }],
  'invite-by-email': [
    {
      what: '500 to 40 channels',
      async prepare(scene) {
        const name = scene.unique('inviter')
        const email = `${name.replaceAll(' ', '-')}@parley.example`
        const owner = scene.as('owner')
        const { user_id } = await owner.must('POST', '/users', { email, password: 'correct horse', full_name: name })
        await owner.must('PATCH', `/users/${user_id}`, { role: 200 })
        return owner.must('POST', '/fetch_api_key', { username: email, password: 'correct horse' })
      },
      call: (scene, login) =>
        new ApiClient(scene.url, login as never).post('/invites', {
          invitee_emails: addresses(scene, MOST),
          ...terms(scene, 40),
        }),
    },
  ],
  'create-invitation-link': [
    {
      what: 'of a thousand channels, beside 499 invitations',
      async prepare(scene) {
        await full(scene)
        await withoutLinks(scene)
      },
      call: (scene) => scene.as('owner').post('/invites/multiuse', terms(scene)),
    },
  ],
  'revoke-invitation-link': [
    {
      prepare: newLink,
      call: (scene, link) => scene.as('owner').delete(`/invites/multiuse/${(link as { id: number }).id}`),
    },
  ],
  'revoke-invitation': [{ prepare: full, call: (scene, id) => scene.as('owner').delete(`/invites/${id}`) }],
  'resend-invitation': [{ prepare: full, call: (scene, id) => scene.as('owner').post(`/invites/${id}/resend`) }],
  'accept-invitation': [
    {
      what: 'of a thousand channels',
      prepare: newLink,
      call: (scene, link) =>
        scene.as('member').post('/join', {
          ...{ invite_key: (link as { key: string }).key, email: address(scene) },
          ...{ full_name: scene.unique('Newcomer'), password: 'correct horse' },
        }),
    },
  ],
  'get-invitation-page': [
    { prepare: newLink, call: (scene, link) => scene.as('member').fetch(`/join/${(link as { key: string }).key}`) },
  ],
}
