/** Built-in emoji that are not in Unicode, by name, which is also the code: their files below /static/. */
const PICTURES: ReadonlyMap<string, string> = new Map([['zulip', 'emoji-zulip.png']])

export const EXTRA_EMOJI_FILES: readonly string[] = [...PICTURES.values()]

export function isExtraEmoji(name: string): boolean {
  return PICTURES.has(name)
}

/** URL of the picture on this server; undefined if the name is not a built-in emoji. */
export function extraEmojiPicture(name: string): string | undefined {
  const file = PICTURES.get(name)
  return file === undefined ? undefined : `/static/${file}`
}
