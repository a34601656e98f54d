import type { SeededFault } from '../testing.ts'
import { ofSuccess } from './changes-testing.ts'
import { ofEvent, ofEventList } from './events-testing.ts'
import { misanswered, misread } from './misreadings-testing.ts'

const only = 'get-email-domains'
const adding = ['POST', '/realm/domains'] as const
const changing = ['PATCH', /^\/realm\/domains\//] as const

// Only owners change them.
const withOwner = (fault: SeededFault): SeededFault => ({ ...fault, needsUsers: true })

const ownerFaults: readonly SeededFault[] = [
  misread(only, 'domains whose subdomains count from the beginning', adding, (parameters) => {
    parameters.set('allow_subdomains', 'true')
  }),
  misread(only, 'subdomains that never count', changing, (parameters) => {
    parameters.set('allow_subdomains', 'false')
  }),
  misanswered(
    only,
    'a domain without an ID',
    ofSuccess('POST', '/realm/domains', (body) => {
      body.new_domain = body.new_domain.toReversed()
    }),
  ),
  misanswered(
    only,
    'domains that are not told',
    ofEventList((events) => events.filter(({ type }) => type !== 'realm_domains')),
  ),
  misanswered(
    only,
    'removed domains told as changed',
    ofEvent('realm_domains', (event) => {
      if (event.op === 'remove') event.op = 'change'
    }),
  ),
  misanswered(
    only,
    'a list of domains that is always empty',
    ofSuccess('GET', '/realm/domains', (body) => {
      body.domains = []
    }),
  ),
  misanswered(
    only,
    'registrations that do not know of domains',
    ofSuccess('POST', '/register', (body) => {
      if ('realm_domains' in body) body.realm_domains = []
    }),
  ),
]

export const faults: readonly SeededFault[] = ownerFaults.map(withOwner)
