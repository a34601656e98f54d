/** The archive cannot be imported. The message names the file, and the line if the error is in one. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

const LONGEST_SHOWN = 100

/** A name or value of an archive in printable form: one line, cut to a maximum length. */
export function shown(text: string): string {
  const quoted = JSON.stringify(text)
  return quoted.length > LONGEST_SHOWN ? `${quoted.slice(0, LONGEST_SHOWN)}…"` : quoted
}
