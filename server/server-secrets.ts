import { Secrets } from '../secrets/secrets.ts'
import type { DataFolder } from './data-folder.ts'

/** The secret does not fit the API keys in the database; the message says what to do. */
export class WrongSecretError extends Error {
  override readonly name = 'WrongSecretError'
}

/**
 * @param given undefined if the data folder keeps one
 * @param secretCheck of the database; undefined at the first start, which creates a missing secret
 * @throws {WrongSecretError}
 */
export function secretsOf(given: string | undefined, dataFolder: DataFolder, secretCheck: string | undefined): Secrets {
  const secret = given ?? dataFolder.secret()
  if (secretCheck === undefined) return new Secrets(secret ?? dataFolder.makeSecret())
  const secrets = secret === undefined ? undefined : new Secrets(secret)
  if (secrets?.checkValue === secretCheck) return secrets
  throw new WrongSecretError(
    `The database was made with another secret, without which no API key works: set PARLEY_SECRET to it, or restore ${dataFolder.secretFile}`,
  )
}
