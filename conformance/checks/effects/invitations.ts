import { newAddress, newcomer, newLink, soon } from '../../acts/invitations.ts'
import type { Account } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, effectNamed, type Shows } from '../../kernel/effect.ts'
import { eventOf, listen } from '../../kernel/listening.ts'
import { listOf } from '../../wire/values.ts'
import { refuses, refusesWith } from '../outcomes.ts'

export const checks: readonly Check[] = [
  effect(
    ['invite-by-email', 'get-invitations', 'resend-invitation', 'revoke-invitation'],
    'invitations are listed as they were created, announced to those who manage them, and end when revoked',
    async (t, shows, { user }) => {
      const administrator = t.person('administrator')
      const queue = await listen(administrator, ['invites_changed'])
      const told = (what: string) =>
        eventOf(shows, queue, { type: 'invites_changed' }, `after an invitation was ${what}`)
      const email = newAddress(t)
      const quiet = administrator.known('invite-by-email', { notify_referrer_on_join: false })
      const terms = { ...soon, invite_as: 600, invite_expires_in_minutes: 60, ...quiet }
      const text = `\nConformance <${email}>,`
      await administrator.must('invite-by-email', { invitee_emails: text, stream_ids: [], ...terms })
      await told('made')
      const listed = await administrator.must('get-invitations')
      const [own, ...more] = listOf(listed.body.invites).filter((one) => one.email === email)
      if (!shows(listed, own !== undefined && more.length === 0, `one invitation of ${email}`)) return
      const wanted = { invited_as: 600, invited_by_user_id: administrator.userId, is_multiuse: false, ...quiet }
      for (const [field, value] of Object.entries(wanted)) {
        shows(listed, own[field] === value, `\`${field}\` of ${email} is ${value}`)
      }
      const minutes = (own.expiry_date - own.invited) / 60
      shows(listed, Math.abs(minutes - 60) < 1, `\`expiry_date\` of ${email} is an hour after \`invited\``)
      await administrator.must('resend-invitation', { invite_id: own.id })
      const resent = await administrator.must('get-invitations')
      const stays = listOf(resent.body.invites).some((one) => one.email === email)
      shows(resent, stays, `the invitation of ${email}, which was sent again`)
      for (const operation of ['resend-invitation', 'revoke-invitation']) {
        refuses(shows, await user.call(operation, { invite_id: own.id }), 'somebody else made the invitation')
      }
      const ofOthers = await user.call('get-invitations')
      const isShown = listOf(ofOthers.body?.invites).some((one) => one.email === email)
      shows(ofOthers, !isShown, `no invitation of ${email}, which somebody else made`)
      await administrator.must('revoke-invitation', { invite_id: own.id })
      await told('revoked')
      const after = await administrator.must('get-invitations')
      shows(after, !listOf(after.body.invites).some((one) => one.email === email), `no invitation of ${email}`)
      for (const operation of ['resend-invitation', 'revoke-invitation']) {
        refuses(shows, await administrator.call(operation, { invite_id: own.id }), 'the invitation was revoked')
      }
      const ofUser = await listen(user, ['invites_changed'])
      const invitee_emails = newAddress(t)
      const invited = await user.call('invite-by-email', { invitee_emails, stream_ids: [], ...soon })
      if (invited.status !== 200) return // not everybody may invite
      await eventOf(shows, ofUser, { type: 'invites_changed' }, `of the invitation by user ${user.userId}`)
      const { invites } = (await user.must('get-invitations')).body
      const made = listOf(invites).find((one) => one.email === invitee_emails)
      if (made !== undefined) await user.must('revoke-invitation', { invite_id: made.id })
    },
  ),
  effect(
    ['create-invitation-link', 'revoke-invitation-link'],
    'a reusable invitation link is listed until it is revoked',
    async (t, shows, { user }) => {
      const administrator = t.person('administrator')
      const queue = await listen(administrator, ['invites_changed'])
      const told = (what: string) => eventOf(shows, queue, { type: 'invites_changed' }, `after a link was ${what}`)
      const terms = { ...soon, invite_as: 600, invite_expires_in_minutes: null }
      const made = await administrator.must('create-invitation-link', terms)
      const link: unknown = made.body.invite_link
      shows(made, URL.canParse(String(link)), '`invite_link`, a URL')
      await told('made')
      const own = await linkOf(administrator, link, shows)
      if (own === undefined) return
      const { listed, one } = own
      shows(listed, one.is_multiuse === true && one.expiry_date === null, '`is_multiuse` true and no `expiry_date`')
      shows(listed, one.invited_as === 600, '`invited_as` is 600')
      refuses(shows, await user.call('revoke-invitation-link', { invite_id: one.id }), 'somebody else made the link')
      await administrator.must('revoke-invitation-link', { invite_id: one.id })
      await told('revoked')
      const after = await administrator.must('get-invitations')
      shows(after, !listOf(after.body.invites).some(({ link_url }) => link_url === link), 'no invitation with the link')
      refuses(shows, await administrator.call('revoke-invitation-link', { invite_id: one.id }), 'the link was revoked')
    },
  ),
  effect(
    ['accept-invitation', 'get-invitation-page'],
    'an invitation link creates an account with the invitation’s role, groups and channels',
    async (t, shows) => {
      const administrator = t.person('administrator')
      const channel = await t.channel(administrator)
      const link = await newLink(t, administrator, { invite_as: 600, stream_ids: [channel.id] })
      const values = newcomer(t, link.link_url)
      const page = () => t.deployment.send({ method: 'GET', path: `/join/${values.invite_key}` })
      const shown = await page()
      shows(shown, shown.text.includes('<form'), 'a page with a form')
      const { user } = await t.scene()
      const joined = await user.must('accept-invitation', values)
      const { user_id } = joined.body
      shows(joined, joined.body.email === values.email, `\`email\` is ${values.email}`)
      const known = await administrator.must('get-user', { user_id_or_email: user_id })
      const { role, full_name } = known.body.user
      shows(known, role === 600 && full_name === values.full_name, `${values.full_name} with \`role\` 600`)
      const status = await administrator.must('get-subscription-status', { user_id, stream_id: channel.id })
      shows(status, status.body.is_subscribed === true, `\`is_subscribed\` of user ${user_id} is true`)
      const key = await user.must('fetch-api-key', { username: values.email, password: values.password })
      shows(key, key.body.user_id === user_id, `\`user_id\` is ${user_id}`)
      await administrator.must('revoke-invitation-link', { invite_id: link.id })
      const late = await user.call('accept-invitation', newcomer(t, link.link_url))
      shows(late, late.status === 404, 'HTTP status 404: the link was revoked')
      const gone = await page()
      shows(gone, gone.status === 200 && !gone.text.includes('<form'), 'a page without a form')
      await administrator.must('deactivate-user', { user_id_or_email: user_id })
    },
  ),
  effectNamed(
    'effects/invite-in-vain',
    'existing accounts cannot be invited, and nobody can grant a role above their own',
    async (t, shows, { user }) => {
      const administrator = t.person('administrator')
      const [fresh, known] = [newAddress(t), administrator.email]
      const send = (account: Account, invitee_emails: string, more: object = {}) =>
        account.call('invite-by-email', { invitee_emails, stream_ids: [], ...soon, ...more })
      const wrong = await send(administrator, `${fresh}, conformance`)
      refusesWith(shows, 'INVITATION_FAILED', wrong, 'one of them is not an address')
      shows(wrong, wrong.body?.sent_invitations === false, '`sent_invitations` is false')
      const partly = await send(administrator, `${known}, ${fresh}`)
      const [address, , isDeactivated] = listOf(listOf(partly.body?.errors)[0])
      const isNamed = address === known && isDeactivated === false
      shows(partly, partly.body?.code === 'INVITATION_FAILED' && isNamed, `\`errors\` name ${known}, an account in use`)
      shows(partly, partly.body?.sent_invitations === true, '`sent_invitations` is true')
      const listed = await administrator.must('get-invitations')
      const own = listOf(listed.body.invites).filter((one) => one.email === fresh)
      shows(listed, own.length === 1, `one invitation of ${fresh}`)
      for (const { id } of own) await administrator.must('revoke-invitation', { invite_id: id })
      refuses(shows, await send(administrator, fresh, { stream_ids: [2_000_000_000] }), 'there is no such channel')
      for (const invite_as of [100, 200, 300]) {
        refuses(shows, await send(user, fresh, { invite_as }), `members do not invite with the role ${invite_as}`)
      }
      refuses(shows, await send(administrator, fresh, { invite_as: 500 }), 'there is no role 500')
    },
    'invite-by-email',
  ),
]

async function linkOf(account: Account, link: unknown, shows: Shows) {
  const listed = await account.must('get-invitations')
  const one = listOf(listed.body.invites).find(({ link_url }) => link_url === link)
  return shows(listed, one !== undefined, `an invitation with \`link_url\` ${link}`) ? { listed, one } : undefined
}
