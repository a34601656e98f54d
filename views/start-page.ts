import { escapeHtml } from '../domain/markdown/escape-html.ts'
import { FEATURE_LEVEL } from '../domain/versions.ts'
import { PAGE_STYLE } from './page-style.ts'

/** Facts on the page that differ between deployments. */
export interface StartPageFacts {
  readonly organization: string
  /** Absolute, without a slash at the end. */
  readonly publicUrl: string
}

/**
 * The page at `/`: says which server answers here, and gives commands to try, with this address. It has no script and
 * loads nothing from another host.
 */
export function startPage({ organization, publicUrl }: StartPageFacts): string {
  const name = escapeHtml(organization)
  const api = `${publicUrl}/api/v1`
  const shell = (...lines: readonly string[]): string => `<pre tabindex="0">${escapeHtml(lines.join('\n'))}</pre>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="icon" href="static/icon.png">
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<img src="static/icon.png" alt="">
<div>
<h1>${name}</h1>
<p>A team chat that <strong>Parley</strong> serves: the Zulip API, feature level ${FEATURE_LEVEL}.</p>
</div>
</header>
<main>
<p>This page is not the chat: people chat with a client of the Zulip API, on a phone or in a terminal, and programs with its
SDKs (<code>pip install zulip</code>, <code>npm install zulip-js</code>). All are told this address:</p>
${shell(publicUrl)}
<h2>Log in</h2>
<p>With an e-mail address and a password; the answer has the API key that all other calls take.</p>
${shell(`curl ${api}/fetch_api_key \\`, "  --data-urlencode 'username=EMAIL' --data-urlencode 'password=PASSWORD'")}
<h2>Send a message</h2>
${shell(`curl ${api}/messages -u 'EMAIL:KEY' \\`, "  -d type=channel --data-urlencode 'to=CHANNEL' -d topic=welcome \\", "  --data-urlencode 'content=Hello from **curl**'")}
<h2>Hear what happens</h2>
<p>A queue collects events from now on; the second call waits for the next ones. Each call names the last event that
arrived.</p>
${shell(`curl ${api}/register -u 'EMAIL:KEY' \\`, `  --data-urlencode 'event_types=["message"]'`, '', `curl -G ${api}/events -u 'EMAIL:KEY' \\`, '  -d queue_id=QUEUE_ID -d last_event_id=-1')}
<h2>Look closer</h2>
<ul>
<li><a href="api/v1/openapi.json">The contract</a>: every call, its parameters, answers and errors, as OpenAPI 3.1
(<a href="api/v1/openapi-3.0.json">3.0</a> for older tools)</li>
<li><a href="api/v1/server_settings">What clients read before anybody has logged in</a></li>
<li><a href="health">Whether the server works</a></li>
</ul>
</main>
</body>
</html>
`
}
