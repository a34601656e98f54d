import { Random } from '../../server/random-testing.ts'
import type { Attack, Generator } from './attack.ts'
import { exportAttacks } from './exports.ts'
import { linkifierAttacks } from './linkifiers.ts'
import { pictureAttacks } from './pictures.ts'
import { renderingAttacks, renderingGenerators } from './rendering.ts'
import { requestAttacks, requestGenerators } from './requests.ts'

const LISTED: readonly Attack[] = [
  ...renderingAttacks,
  ...linkifierAttacks,
  ...pictureAttacks,
  ...requestAttacks,
  ...exportAttacks,
]
const GENERATORS: readonly Generator[] = [...renderingGenerators, ...requestGenerators]

/** The listed attacks, and `variants` generated from the seed, of each kind in turn. */
export function attacksOf(seed: number, variants: number): readonly Attack[] {
  const generated = Array.from({ length: variants }, (_, index): Attack => {
    const generator = GENERATORS[index % GENERATORS.length] as Generator
    return { id: `${generator.id} ${index + 1}`, ...generator.make(new Random(seed + index)) }
  })
  return [...LISTED, ...generated]
}
