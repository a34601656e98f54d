import { Secrets } from '../secrets/secrets.ts'
import type { DataFolder } from './data-folder.ts'
import { MIN_SECRET_LENGTH } from './settings.ts'

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
  const { secretFile } = dataFolder
  const kept = dataFolder.secret()
  const secret = given ?? kept
  if (secretCheck === undefined) {
    // A file that the server has not made may be too short: with an empty secret, everybody could decrypt the keys.
    if (secret !== undefined && secret.length < MIN_SECRET_LENGTH) {
      throw new WrongSecretError(
        `${secretFile} has less than ${MIN_SECRET_LENGTH} characters: remove it, and the server makes one`,
      )
    }
    return new Secrets(secret ?? dataFolder.makeSecret())
  }
  const isRight = (one: string | undefined) => one !== undefined && new Secrets(one).checkValue === secretCheck
  if (secret !== undefined && isRight(secret)) return new Secrets(secret)
  const remedy = isRight(kept)
    ? `unset PARLEY_SECRET, because the right one is in ${secretFile}`
    : `set PARLEY_SECRET to it, or restore ${secretFile}`
  throw new WrongSecretError(`The database was made with another secret, without which no API key works: ${remedy}`)
}
