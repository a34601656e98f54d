import { EXPORT_TYPES, type ExportType } from '../../domain/exports.ts'
import { type Given, OperatorError } from './command.ts'

export const TYPE_OPTION = {
  name: 'type',
  value: 'TYPE',
  meaning: 'public (default), full_with_consent or full_without_consent: whose private data go along',
}

/** @throws {OperatorError} */
export function typeOf({ type: text = 'public' }: Given): ExportType {
  const type = EXPORT_TYPES.find((one) => one === text)
  if (!type) throw new OperatorError(`There is no type ${text}: ${EXPORT_TYPES.join(', ')}`)
  return type
}
