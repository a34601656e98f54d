import type { PassingOn, SeededFault } from '../testing.ts'

/** A server that takes a question about messages for another one. */
function mistaken(only: string, name: string, before: (request: PassingOn) => void): SeededFault {
  const violates = ['CONTRACT-EFFECT']
  return { name: `${name} (model: ${only})`, only: `modelled/${only}`, violates, fault: () => {}, before }
}

function forgetLastTerm({ url, form }: PassingOn): void {
  for (const values of [url.searchParams, form]) {
    const terms = JSON.parse(values.get('narrow') ?? '[]')
    if (terms.length > 1) values.set('narrow', JSON.stringify(terms.slice(0, -1)))
  }
}

export const faults: readonly SeededFault[] = [
  ...['lists', 'matches', 'queues'].map((only) =>
    mistaken(only, 'the last of several terms forgotten', forgetLastTerm),
  ),
  mistaken('lists', 'anchor among the messages though it is left out', ({ url }) =>
    url.searchParams.delete('include_anchor'),
  ),
  mistaken('flags', 'one message more than asked for gets the flag', ({ method, url, form }) => {
    const count = Number(form.get('num_after'))
    const isMeant = method === 'POST' && url.pathname.endsWith('/flags/narrow')
    if (isMeant && count > 0) form.set('num_after', String(count + 1))
  }),
]
