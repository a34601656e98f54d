import fc from 'fast-check'
import { type Ground, kind } from '../laws/action-kind.ts'
import type { Requests } from './right-request.ts'

export const requests: Requests = {
  'add-alert-words': () => ({ alert_words: ['conformance'] }),
  'remove-alert-words': () => ({ alert_words: ['conformance'] }),
}

/** Words in our own messages, and one that is not in them. */
const ours = ['hello', 'LOOK', 'is not', 'code', 'nowhere']
const words = ({ isOurs, observer }: Ground) => ({
  who: observer,
  words: isOurs ? fc.subarray(ours, { minLength: 1 }) : fc.constantFrom(['tea'], ['coffee']),
})

export const actions = [
  kind(
    'add alert words',
    words,
    (world, { who, words }) => world.person(who).call('add-alert-words', { alert_words: words }),
    { weight: 2 },
  ),
  kind('remove alert words', words, (world, { who, words }) =>
    world.person(who).call('remove-alert-words', { alert_words: words }),
  ),
]
