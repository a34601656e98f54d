/** Maximum length of an uploaded file's name in code points, as in the column. */
const MAX_FILE_NAME_LENGTH = 255
/** Maximum length of the name in a file's address in code points. */
const MAX_PATH_NAME_LENGTH = 100
/** Longer extensions are not kept when the name is cut. */
const MAX_EXTENSION_LENGTH = 20
const NAMELESS = 'file'

/** Control characters, lone surrogates, line separators, and marks that change the direction of the following text. */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const NOT_IN_PATHS = /[^\p{L}\p{M}\p{N}._]+/gu
/** Matches the part before the extension if it had no letters or digits. */
const EMPTY_STEM = /^(?=\.*-)[-.]*\./

/**
 * Returns the name to show and to offer for saving: the client's, without folders, invisible characters and leading
 * dots (which hide a file, and `..` is a folder), cut to MAX_FILE_NAME_LENGTH with its extension kept.
 */
export function displayFileName(claimed: string): string {
  const name = claimed.toWellFormed().replaceAll(INVISIBLE, '')
  const last = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const visible = last.trim().replace(/^[.\s]+/u, '')
  return visible === '' ? NAMELESS : shortened(visible, MAX_FILE_NAME_LENGTH)
}

/**
 * Returns the name as the end of an address: letters and digits of all scripts, dots, dashes and underscores, so that
 * Markdown and people who copy it find its end. Never empty, and no dot at either end.
 */
export function pathFileName(displayName: string): string {
  const dashed = displayName.normalize('NFC').replaceAll(NOT_IN_PATHS, '-')
  // The extension stays, because clients use it to decide what to show.
  const name = joined(dashed.replace(EMPTY_STEM, `${NAMELESS}.`))
  return name === '' ? NAMELESS : joined(shortened(name, MAX_PATH_NAME_LENGTH))
}

/** Removes dashes before dots, and both at the ends. */
function joined(name: string): string {
  return name
    .replaceAll(/-+\./g, '.')
    .replace(/^[.-]+/, '')
    .replace(/[.-]+$/, '')
}

function shortened(name: string, limit: number): string {
  const characters = [...name]
  if (characters.length <= limit) return name
  const dot = characters.lastIndexOf('.')
  const extension = dot > 0 && characters.length - dot <= MAX_EXTENSION_LENGTH ? characters.slice(dot) : []
  return [...characters.slice(0, limit - extension.length), ...extension].join('')
}

/**
 * Returns a Content-Disposition with a name in any script: plain ASCII for old clients, `filename*` for the others (RFC
 * 6266).
 */
export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  return `${type}; filename="${ascii}"; filename*=UTF-8''${encodedExtended(name)}`
}

/** RFC 8187 encodes more characters than URLs do. */
function encodedExtended(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
