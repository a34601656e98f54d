import fc from 'fast-check'
import type { Ground } from './action-kind.ts'

const three = fc.nat({ max: 2 })

/** Three people on any server. No channel mentions, links or empty topics, which deployed servers treat differently. */
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
  name: fc.constant('conformance'),
  // Flags show in few places, so a short run needs more of them.
  weights: { flag: 8 },
}
