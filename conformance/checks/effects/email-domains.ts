import { newDomain } from '../../acts/email-domains.ts'
import type { Account } from '../../deployment/account.ts'
import type { Check } from '../../kernel/check.ts'
import { effect, type Shows } from '../../kernel/effect.ts'
import { listen } from '../../kernel/listening.ts'
import { anybody } from '../../kernel/people-of-roles.ts'
import { type Json, listOf } from '../../wire/values.ts'
import { refuses } from '../outcomes.ts'

/** The changes of a domain, and the event that each sends to everybody. */
const steps = (domain: string) =>
  [
    ['add-email-domain', { domain: domain.toUpperCase(), allow_subdomains: false }, 'add', false],
    ['update-email-domain', { domain, allow_subdomains: true }, 'change', true],
    ['update-email-domain', { domain, allow_subdomains: false }, 'change', false],
    ['remove-email-domain', { domain }, 'remove', undefined],
  ] as const

export const checks: readonly Check[] = [
  effect(
    ['get-email-domains', 'add-email-domain', 'update-email-domain', 'remove-email-domain'],
    'owners add, change and remove email domains, and everybody is told',
    async (t, shows, { user }) => {
      const owner = t.person('owner')
      const domain = newDomain(t)
      const queue = await listen(await anybody(t), ['realm_domains'])
      for (const [operation, values, op, isWide] of steps(domain)) {
        const done = await owner.must(operation, values)
        if (op === 'add') {
          const [id, name] = listOf(done.body.new_domain)
          shows(done, Number.isInteger(id) && name === domain, `\`new_domain\` has an ID and "${domain}"`)
        }
        const wanted = op === 'remove' ? undefined : { domain, allow_subdomains: isWide }
        const isMeant = (event: Json): boolean =>
          event.op === op && (event.realm_domain?.domain ?? event.domain) === domain
        const { event, exchange, lacked } = await queue.until(isMeant)
        const isTold = wanted === undefined ? event !== undefined : isSame(event?.realm_domain, wanted)
        shows(exchange, isTold, `\`${op}\` of ${JSON.stringify(wanted ?? domain)}; but ${lacked}`)
        await isListed(shows, user, domain, wanted)
        if (operation === 'update-email-domain') continue
        refuses(shows, await owner.call(operation, values), `${op} of ${domain} has been done`)
      }
      refuses(shows, await owner.call('update-email-domain', { domain, allow_subdomains: true }), 'it is gone')
      const dotless = await owner.call('add-email-domain', { domain: 'conformance', allow_subdomains: false })
      refuses(shows, dotless, 'a domain has a dot')
    },
  ),
]

interface EmailDomain {
  readonly domain: string
  readonly allow_subdomains: boolean
}

function isSame(one: Json, other: EmailDomain): boolean {
  return one?.domain === other.domain && one?.allow_subdomains === other.allow_subdomains
}

/** Compares the list and the answer of POST /register with the domain; undefined: it must be absent. */
async function isListed(shows: Shows, reader: Account, domain: string, wanted: EmailDomain | undefined): Promise<void> {
  const listed = await reader.must('get-email-domains')
  const registered = await reader.must('register-queue', { event_types: [], fetch_event_types: ['realm_domains'] })
  for (const [exchange, list] of [
    [listed, listed.body.domains],
    [registered, registered.body.realm_domains],
  ] as const) {
    const found = listOf(list).find((one: Json) => one.domain === domain)
    const isRight = wanted === undefined ? found === undefined : isSame(found, wanted)
    shows(exchange, isRight, wanted === undefined ? `no ${domain}` : JSON.stringify(wanted))
  }
}
