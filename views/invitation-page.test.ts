import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { INVITATION_SCRIPT, invitationPage } from './invitation-page.ts'

const open = { invitation: { email: '"><b>@x.example' }, inviter: { fullName: '<script>alert(1)</script>' } }

test('names and addresses are text, and the only script is ours', () => {
  const html = invitationPage({ organization: 'A & B', open })
  assert.ok(html.includes('<h1>A &amp; B</h1>'))
  assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt; invites you'))
  assert.ok(html.includes('value="&quot;&gt;&lt;b&gt;@x.example" readonly'))
  assert.doesNotMatch(html, /type="email"|maxlength/, 'the browser neither changes nor refuses what the server takes')
  assert.deepEqual(
    [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script]) => script),
    [INVITATION_SCRIPT],
  )
  assert.ok(!invitationPage({ organization: 'A', open: undefined }).includes('<script'))
})

/** The browser collects the values of fields. */
class Filled extends Map<string, string> {
  constructor() {
    super([['full_name', 'Kim']])
  }
}

/** Opens the page at `address` and sends its form. Returns the request, and the text of the page afterwards. */
async function sent(address: string, answer: object | undefined) {
  const said = { textContent: 'before' }
  let submit: ((event: object) => Promise<void>) | undefined
  let isThere = true
  let isFocused = false
  const focus = () => {
    isFocused = !form.inert
  }
  const form = {
    inert: false,
    addEventListener: (_: string, listener: typeof submit) => {
      submit = listener
    },
    remove: () => {
      isThere = false
    },
  }
  const calls: [string, string][] = []
  const waits: string[] = []
  const location = new URL(address)
  const page = {
    location,
    URL,
    URLSearchParams,
    FormData: Filled,
    document: {
      activeElement: { focus },
      querySelector: (selector: string) => (selector === 'form' ? form : said),
    },
    async fetch(url: string, { body }: { body: URLSearchParams }) {
      calls.push([new URL(url, location).href, String(body)])
      waits.push(said.textContent)
      if (!answer) throw new TypeError('no connection')
      return { json: async () => answer }
    },
  }
  runInContext(INVITATION_SCRIPT, createContext(page))
  await submit?.({ preventDefault: () => undefined })
  assert.deepEqual(waits, ['One moment …'])
  return { calls, said: said.textContent, isThere, isFocused }
}

test('the form is sent to POST /join with the key of the page', async () => {
  const { calls, said, isThere } = await sent('https://example.com/join/Kf83hTq1', {
    result: 'success',
    email: 'kim@example.com',
  })
  assert.deepEqual(calls, [['https://example.com/api/v1/join', 'full_name=Kim&invite_key=Kf83hTq1']])
  assert.match(said, /as kim@example\.com, at https:\/\/example\.com\/$/)
  assert.equal(isThere, false)
})

test('a refusal is shown with the server’s message, and the form can be sent again', async () => {
  const refused = await sent('https://example.com/join/Kf83hTq1', { result: 'error', msg: 'Email is already in use.' })
  assert.deepEqual([refused.said, refused.isThere, refused.isFocused], ['Email is already in use.', true, true])
  for (const answer of [undefined, {}]) {
    const unanswered = await sent('https://example.com/join/Kf83hTq1', answer)
    assert.deepEqual([unanswered.isThere, unanswered.isFocused], [true, true])
    assert.match(unanswered.said, /did not answer/)
  }
})
