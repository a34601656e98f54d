import fc from 'fast-check'
import type { CheckContext } from '../kernel/check-context.ts'
import { ourKind } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'

/** A domain that is in nobody's address. */
export function newDomain(t: CheckContext): string {
  return `${t
    .unique('conformance')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')}.example`
}

export async function addedDomain(t: CheckContext): Promise<string> {
  const domain = newDomain(t)
  await t.person('owner').must('add-email-domain', { domain, allow_subdomains: false })
  return domain
}

export const requests: Requests = {
  'add-email-domain': (_, t) => ({ domain: newDomain(t), allow_subdomains: false }),
  'update-email-domain': async (_, t) => ({ domain: await addedDomain(t), allow_subdomains: true }),
  'remove-email-domain': async (_, t) => ({ domain: await addedDomain(t) }),
}

const domain = fc.constantFrom('one.example', 'two.example')
export const actions = [
  ourKind(
    'add domain',
    ({ manager }) => ({ by: manager, domain, allow_subdomains: fc.boolean() }),
    (world, { by, domain, allow_subdomains }) =>
      world.manager(by)?.call('add-email-domain', { domain, allow_subdomains }),
  ),
  ourKind(
    'change domain',
    ({ manager }) => ({ by: manager, domain, allow_subdomains: fc.boolean() }),
    async (world, { by, domain, allow_subdomains }) => {
      await world.manager(by)?.call('add-email-domain', { domain, allow_subdomains: !allow_subdomains })
      return world.manager(by)?.call('update-email-domain', { domain, allow_subdomains })
    },
  ),
  ourKind(
    'remove domain',
    ({ manager }) => ({ by: manager, domain }),
    async (world, { by, domain }) => {
      await world.manager(by)?.call('add-email-domain', { domain, allow_subdomains: false })
      return world.manager(by)?.call('remove-email-domain', { domain })
    },
  ),
]
