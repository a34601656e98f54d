import fc from 'fast-check'
import type { Ground } from './action-kind.ts'

const three = fc.nat({ max: 2 })

/**
 * Three people at any server. No mention of whole channels, no links, no topic without a name: what deployed servers
 * treat in many ways.
 */
export const anywhere: Ground = {
  isOurs: false,
  who: three,
  observer: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, three),
  manager: fc.constant(undefined),
  managed: fc.constant(undefined),
  content: fc.constantFrom(
    ...['Hello.', '**bold** and `code`', 'Look, @{0}!', '@{1} and @{2}, please', '/me waves', '- one\n- two'],
  ),
  topic: fc.constantFrom('lunch', 'plans', 'Müller', '日本語'),
  name: fc.constant(['conformance']),
  // What is marked is seen in few places, and a short run is to meet it.
  weights: { flag: 8 },
}
