import type { Fault, SeededFault } from '../testing.ts'
import { type Json, ofSuccess, refuse, succeed } from './changes-testing.ts'
import { ofEventList } from './events-testing.ts'
import { misanswered, misread, without } from './misreadings-testing.ts'

const byEmail = 'invite-by-email'
const byLink = 'create-invitation-link'
const inviting = ['POST', '/invites'] as const
const linking = ['POST', '/invites/multiuse'] as const
const one = /^\/invites\/\d+$/
const resending = /^\/invites\/\d+\/resend$/
const link = /^\/invites\/multiuse\/\d+$/

const untold = ofEventList((events) => events.filter(({ type }) => type !== 'invites_changed'))
const accepted =
  (method: string, path: RegExp): Fault =>
  (answer, request) => {
    if (request.method === method && path.test(request.path) && answer.status >= 400) succeed(answer)
  }
const listing = (change: (list: Json[]) => Json[]): Fault =>
  ofSuccess('GET', '/invites', (body) => {
    body.invites = change(body.invites)
  })
const failing =
  (change: (body: Json) => void): Fault =>
  (answer) => {
    if (answer.body?.code === 'INVITATION_FAILED') change(answer.body)
  }
const inVain = (name: string, fault: Fault): SeededFault => misanswered('invite-in-vain', name, fault)

export const faults: readonly SeededFault[] = [
  misread(byEmail, 'everybody invited as a member', inviting, without('invite_as')),
  misread(byEmail, 'invitations of ten days', inviting, without('invite_expires_in_minutes')),
  misread(byEmail, 'inviters who are always told', inviting, without('notify_referrer_on_join')),
  misanswered(byEmail, 'invitations that nobody is told of', untold),
  misanswered(
    byEmail,
    'no invitation listed',
    listing(() => []),
  ),
  misanswered(
    byEmail,
    'invitations by nobody',
    listing((list) => list.map((entry) => ({ ...entry, invited_by_user_id: 0 }))),
  ),
  misanswered(byEmail, 'invitations revoked by everybody', accepted('DELETE', one)),
  misanswered(byEmail, 'invitations sent again by everybody', accepted('POST', resending)),
  misread(byLink, 'links that make members', linking, without('invite_as')),
  misread(byLink, 'links that end', linking, without('invite_expires_in_minutes')),
  misanswered(byLink, 'links that nobody is told of', untold),
  misanswered(byLink, 'links revoked by everybody', accepted('DELETE', link)),
  misanswered(
    byLink,
    'links that are none',
    ofSuccess('POST', '/invites/multiuse', (body) => {
      body.invite_link = body.invite_link.replace('://', '')
    }),
  ),
  misread('accept-invitation', 'invitations to no channel', linking, without('stream_ids')),
  misread('accept-invitation', 'newcomers who are members', linking, without('invite_as')),
  misanswered('accept-invitation', 'links for ever', accepted('POST', /^\/join$/)),
  inVain('accounts that are invited', (answer, { method, path }) => {
    if (method === 'POST' && path === '/invites' && answer.body?.sent_invitations) succeed(answer)
  }),
  inVain(
    'nobody named',
    failing((body) => Object.assign(body, { errors: [] })),
  ),
  inVain(
    'accounts called deactivated',
    failing((body) => {
      for (const entry of body.errors) entry[2] = true
    }),
  ),
  inVain(
    'others invited in silence',
    failing((body) => Object.assign(body, { sent_invitations: false })),
  ),
  inVain(
    'failures that invite',
    failing((body) => Object.assign(body, { sent_invitations: true })),
  ),
  inVain('no address no failure', (answer, { method, path, parameters }) => {
    if (method === 'POST' && path === '/invites' && parameters.get('invitee_emails')?.endsWith(', conformance'))
      refuse(answer)
  }),
  inVain('roles for everybody to give', (answer, { method, path, parameters }) => {
    if (method === 'POST' && path === '/invites' && parameters.has('invite_as')) succeed(answer)
  }),
]
