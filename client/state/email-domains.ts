import { type ClientPart, MisfitError } from './state.ts'

interface EmailDomain {
  readonly domain: string
}

export interface EmailDomainFields {
  realm_domains: EmailDomain[]
}

/** By name, like the answer to POST /register. */
const inOrder = (domains: EmailDomain[]): EmailDomain[] =>
  domains.toSorted((one, other) => (one.domain < other.domain ? -1 : 1))
const without = ({ realm_domains: all }: EmailDomainFields, domain: string): EmailDomain[] =>
  all.filter((one) => one.domain !== domain)

/** Domains whose addresses may join. */
export const part: ClientPart<EmailDomainFields> = {
  fetched: ['realm_domains'],
  empty: { realm_domains: [] },
  apply: {
    'realm_domains add': (state, { realm_domain: added }: { realm_domain: EmailDomain }) => {
      state.realm_domains = inOrder([...without(state, added.domain), added])
    },
    'realm_domains change': (state, { realm_domain: changed }: { realm_domain: EmailDomain }) => {
      const left = without(state, changed.domain)
      if (left.length === state.realm_domains.length) throw new MisfitError(`no domain ${changed.domain} to change`)
      state.realm_domains = inOrder([...left, changed])
    },
    'realm_domains remove': (state, { domain }: EmailDomain) => {
      state.realm_domains = without(state, domain)
    },
  },
  normalize: ({ realm_domains: all }) => ({ realm_domains: inOrder(all) }),
}
