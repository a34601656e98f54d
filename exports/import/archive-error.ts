/** An archive that cannot be imported; the message names the file, and the line where it is about one. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

const LONGEST_SHOWN = 100

/** A name or value of an archive, as it can be printed: on one line, and not too long. */
export function shown(text: string): string {
  const quoted = JSON.stringify(text)
  return quoted.length > LONGEST_SHOWN ? `${quoted.slice(0, LONGEST_SHOWN)}…"` : quoted
}
