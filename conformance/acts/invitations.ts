import fc from 'fast-check'
import type { Account, Values } from '../deployment/account.ts'
import type { CheckContext } from '../kernel/check-context.ts'
import { nothing, ourKind } from '../laws/action-kind.ts'
import type { World } from '../laws/world.ts'
import { type Json, listOf } from '../wire/values.ts'
import { type Naming, ofAdministrator, type Requests } from './right-request.ts'

/** An address without account and mailbox. */
export function newAddress(t: Naming): string {
  return `${t.unique('invited').replaceAll(' ', '-')}@conformance.example`
}

/** It expires soon, even if the run is killed. */
export const soon = { invite_expires_in_minutes: 5 }

/** A new invitation for an address, as its inviter sees it. */
export async function newInvitation(t: CheckContext, inviter: Account, terms: Values = {}): Promise<Json> {
  const email = newAddress(t)
  await inviter.must('invite-by-email', { invitee_emails: email, stream_ids: [], ...soon, ...terms })
  return found(t, inviter, (one) => one.email === email)
}

/** A new reusable link, as its creator sees it. */
export async function newLink(t: CheckContext, inviter: Account, terms: Values = {}): Promise<Json> {
  const made = await inviter.must('create-invitation-link', { ...soon, ...terms })
  return found(t, inviter, (one) => one.link_url === made.body.invite_link)
}

async function found(t: CheckContext, inviter: Account, isMeant: (one: Json) => boolean): Promise<Json> {
  const listed = await inviter.must('get-invitations')
  return listOf(listed.body.invites).find(isMeant) ?? t.leaveOut('the new invitation is not listed')
}

/** The key after `/join/`; empty if it is not such a link. */
function keyIn(link: unknown): string {
  return /\/join\/([^/]+)\/?$/.exec(String(link))?.[1] ?? ''
}

export const requests: Requests = {
  'invite-by-email': (_, t) => ofAdministrator(t, { invitee_emails: newAddress(t), stream_ids: [], ...soon }),
  'create-invitation-link': (_, t) => ofAdministrator(t, soon),
  'get-invitations': (_, t) => ofAdministrator(t, {}),
  'revoke-invitation': (_, t) => ofNew(t, newInvitation),
  'resend-invitation': (_, t) => ofNew(t, newInvitation),
  'revoke-invitation-link': (_, t) => ofNew(t, newLink),
  'accept-invitation': async (_, t) => newcomer(t, (await newLink(t, t.person('administrator'))).link_url),
  'get-invitation-page': () => ({ invite_key: 'conformance' }),
}

/** The person who accepts the link's invitation. */
export function newcomer(t: Naming, link: unknown) {
  return {
    invite_key: keyIn(link),
    email: newAddress(t),
    full_name: t.unique('Conformance Newcomer'),
    password: 'four winds meet',
  }
}

async function ofNew(t: CheckContext, make: typeof newInvitation) {
  const as = t.person('administrator')
  return { as, values: { invite_id: (await make(t, as)).id } }
}

const role = fc.constantFrom(400, 600, 300)

interface Open {
  readonly inviter: Account | undefined
  readonly link: string
}

async function makeLink(world: World, by: number | undefined, values: Values) {
  const inviter = world.manager(by)
  const made = await inviter?.call('create-invitation-link', { ...soon, ...values })
  return world.keep<Open>('invitation', made, { inviter, link: made?.body?.invite_link })
}

export const actions = [
  ourKind(
    'make invitation link',
    ({ manager }) => ({ by: manager, invite_as: role, include_realm_default_subscriptions: fc.boolean() }),
    (world, { by, invite_as, include_realm_default_subscriptions }) => {
      const stream_ids = world.channels.slice(0, 1).map(({ id }) => id)
      return makeLink(world, by, { invite_as, include_realm_default_subscriptions, stream_ids })
    },
  ),
  ourKind('accept invitation', nothing, async (world, { who }) => {
    const open = world.kept<Open>('invitation')
    if (open.length === 0) await makeLink(world, undefined, { include_realm_default_subscriptions: true })
    const link = open.at(-1)?.link
    return link === undefined ? undefined : world.person(who).call('accept-invitation', newcomer(world, link))
  }),
  ourKind('revoke invitation link', nothing, async (world) => {
    const kept = world.kept<Open>('invitation')
    if (kept.length === 0) await makeLink(world, undefined, {})
    const { inviter, link } = kept.pop() ?? {}
    const listed = await inviter?.call('get-invitations')
    const one = listOf(listed?.body?.invites).find(({ link_url }) => link_url === link)
    return one && inviter?.call('revoke-invitation-link', { invite_id: one.id })
  }),
]
