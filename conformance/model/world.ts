/** Operands of the operator `has`. */
export type Has = 'link' | 'image' | 'attachment' | 'reaction'
/** Flags of the reader that a narrow can use. */
export type ModelFlag = 'read' | 'starred' | 'mentioned' | 'wildcard_mentioned' | 'has_alert_word'

export interface Topic {
  readonly channelId: number
  readonly name: string
}

/** A message as its reader sees it. */
export interface ModelMessage {
  readonly id: number
  readonly senderId: number
  /** A topic, or everybody in the conversation including the sender. */
  readonly place: Topic | { readonly people: readonly number[] }
  /** As its sender wrote it. */
  readonly content: string
  readonly has: ReadonlySet<Has>
  readonly flags: Set<ModelFlag>
  /** People mentioned by name, without silent mentions. */
  readonly mentions: readonly number[]
  /** Whether its reader never received it, but may see it as part of a public channel. */
  readonly isHistorical?: true
}

export interface ModelChannel {
  readonly id: number
  readonly name: string
  readonly isPublic: boolean
}

export interface ModelPerson {
  readonly id: number
  readonly email: string
}

/** Some messages, everything about them that a narrow can use, and the reader. */
export interface World {
  readonly readerId: number
  readonly people: readonly ModelPerson[]
  readonly channels: readonly ModelChannel[]
  /** In the order of their ids. */
  readonly messages: readonly ModelMessage[]
  readonly followed: readonly Topic[]
  readonly muted: readonly Topic[]
}

export function topicOf({ place }: ModelMessage): Topic | undefined {
  return 'people' in place ? undefined : place
}

/** Topics compare without case, within a channel. */
export function isSameTopic(one: Topic | undefined, other: Topic | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.channelId === other.channelId &&
    one.name.toLowerCase() === other.name.toLowerCase()
  )
}
