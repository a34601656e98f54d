const SPECIAL = /[&<>"]/
const ALL_SPECIAL = /[&<>"]/g
const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes `text` for use between tags and inside double-quoted attributes. */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(ALL_SPECIAL, (character) => REFERENCES[character] as string) : text
}
