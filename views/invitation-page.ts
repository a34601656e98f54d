import { escapeHtml } from '../domain/markdown/escape-html.ts'
import { PAGE_STYLE } from './page-style.ts'

export interface InvitationPageFacts {
  readonly organization: string
  /** Undefined if the invitation is not open; its address is null if it is reusable. */
  readonly open:
    | { readonly invitation: { readonly email: string | null }; readonly inviter: { readonly fullName: string } }
    | undefined
}

/** Sends the form as an API request, and shows the result as text. The key is in the address of the page. */
export const INVITATION_SCRIPT = `
const form = document.querySelector('form'), said = document.querySelector('[role=status]')
form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const values = new URLSearchParams(new FormData(form))
  values.set('invite_key', location.pathname.split('/').at(-1))
  const { activeElement } = document
  let answer = {}
  said.textContent = 'One moment …'
  form.inert = true
  try {
    answer = await (await fetch('../api/v1/join', { method: 'POST', body: values })).json()
  } catch {}
  if (answer.result === 'success') {
    said.textContent = 'Your account is there. Log in with a client of the Zulip API, as ' + answer.email + ', at ' + new URL('..', location).href
    form.remove()
  } else said.textContent = answer.msg ?? 'The server did not answer. Try again in a moment.'
  form.inert = false
  activeElement.focus()
})
`

/** The page of an invitation link. Addresses of this server are relative, because it may be served below a path. */
export function invitationPage({ organization, open }: InvitationPageFacts): string {
  const name = escapeHtml(organization)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Join ${name}</title>
<link rel="icon" href="../static/icon.png">
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<img src="../static/icon.png" alt="">
<div>
<h1>${name}</h1>
<p>${open ? `${escapeHtml(open.inviter.fullName)} invites you to this team chat.` : 'A team chat.'}</p>
</div>
</header>
<main>
${open ? formFor(open.invitation.email) : '<p>Nobody can join with this link: the invitation has ended, there never was one, or the organization is deactivated. Ask the person who invited you.</p>'}
</main>
</body>
</html>
`
}

function formFor(email: string | null): string {
  // Neither type="email" nor maxlength, because browsers change some addresses, and cut pasted text.
  return `<form method="post">
<label for="full_name">Your name, as others see it</label>
<input id="full_name" name="full_name" autocomplete="name" required>
<label for="email">E-mail address</label>
<input id="email" name="email" inputmode="email" autocapitalize="off" spellcheck="false" autocomplete="username" ${email === null ? 'required' : `value="${escapeHtml(email)}" readonly`}>
<label for="password">Password, at least 6 characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="6" required>
<button>Make my account</button>
</form>
<p role="status"></p>
<noscript><p>This page needs a script of its own to send the form.</p></noscript>
<script>${INVITATION_SCRIPT}</script>`
}
