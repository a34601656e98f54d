const EMOJI = /<span [^>]*class="emoji emoji-([0-9a-f-]+)"[^>]*>[^<]*<\/span>/g

/** Returns rendered content with the characters of Unicode emoji in place of their names. */
export function withLiteralEmoji(html: string): string {
  return html.replace(EMOJI, (_, code: string) =>
    String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16))),
  )
}
