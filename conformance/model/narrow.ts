import { isSameTopic, type ModelMessage, topicOf, type World } from './world.ts'

export interface Term {
  readonly operator: string
  readonly operand: string | number | readonly number[]
  readonly negated?: boolean
}

/** Whether the message matches all terms. */
export function fits(world: World, message: ModelMessage, narrow: readonly Term[]): boolean {
  if (message.isHistorical && !narrow.some((term) => hasHistory(world, term))) return false
  return narrow.every((term) => meets(world, message, term) !== (term.negated ?? false))
}

/** Whether the term names channels, so that the reader need not have received their messages. */
function hasHistory(world: World, { operator, operand, negated }: Term): boolean {
  if (negated) return false
  if (operator === 'with' || operator === 'channels' || operator === 'streams') return true
  const id = operator === 'channel' || operator === 'stream' ? channelId(world, operand) : undefined
  return world.channels.some((channel) => channel.isPublic && channel.id === id)
}

function meets(world: World, message: ModelMessage, { operator, operand }: Term): boolean {
  const topic = topicOf(message)
  const people = 'people' in message.place ? message.place.people : undefined
  const text = String(operand)
  switch (operator) {
    case 'channel':
    case 'stream':
      return topic?.channelId === channelId(world, operand)
    case 'channels':
    case 'streams':
      return world.channels.some(({ id, isPublic }) => isPublic && id === topic?.channelId)
    case 'topic':
      return topic?.name.toLowerCase() === text.toLowerCase()
    case 'dm':
    case 'pm-with':
      return people !== undefined && isSame(people, [world.readerId, ...personIds(world, operand)])
    case 'dm-including':
      return people?.includes(personId(world, operand)) ?? false
    case 'group-pm-with':
      return people !== undefined && people.length > 2 && people.includes(personId(world, operand))
    case 'sender':
      return message.senderId === personId(world, operand)
    case 'mentions':
      return message.mentions.includes(personId(world, operand))
    case 'is':
      return isWhat(world, message, text)
    case 'has':
      return [...message.has].some((one) => one === text)
    case 'id':
      return message.id === Number(operand)
    case 'with':
      return isBeside(world, message, Number(operand))
    case 'search':
      return isFound(message, text)
    case 'in': // everything
    case 'near': // tells a client where to put its anchor
      return true
    default:
      throw new Error(`the model knows no operator ${operator}`)
  }
}

function isWhat({ followed, muted }: World, message: ModelMessage, what: string): boolean {
  const { flags } = message
  const topic = topicOf(message)
  switch (what) {
    case 'dm':
    case 'private':
      return topic === undefined
    case 'starred':
      return flags.has('starred')
    case 'unread':
      return !flags.has('read')
    case 'mentioned':
      return flags.has('mentioned') || flags.has('wildcard_mentioned')
    case 'alerted':
      return flags.has('has_alert_word')
    case 'resolved':
      return topic?.name.startsWith('✔ ') ?? false
    case 'followed':
      return followed.some((one) => isSameTopic(one, topic))
    case 'muted':
      return muted.some((one) => isSameTopic(one, topic))
    default:
      throw new Error(`the model does not know what is ${what}`)
  }
}

/** Whether it is in the conversation of another message. */
function isBeside({ messages }: World, message: ModelMessage, id: number): boolean {
  const other = messages.find((one) => one.id === id)
  if (other === undefined) throw new Error(`the model has no message ${id}`)
  if ('people' in other.place) return 'people' in message.place && isSame(message.place.people, other.place.people)
  return isSameTopic(topicOf(message), other.place)
}

/** Every word of the search is a word of the text or topic, and every phrase is in one of them. */
function isFound(message: ModelMessage, search: string): boolean {
  const texts = [message.content, topicOf(message)?.name ?? ''].map((text) => text.toLowerCase())
  const words = texts.flatMap((text) => text.split(/[^\p{L}\p{N}]+/u))
  return [...search.toLowerCase().matchAll(/"([^"]+)"|(\S+)/g)].every(([, phrase, word]) =>
    phrase === undefined ? words.includes(word ?? '') : texts.some((text) => text.includes(phrase)),
  )
}

function channelId({ channels }: World, operand: Term['operand']): number | undefined {
  if (typeof operand === 'number') return operand
  return channels.find(({ name }) => name.toLowerCase() === String(operand).toLowerCase())?.id
}

function personIds(world: World, operand: Term['operand']): number[] {
  if (typeof operand === 'object') return [...operand]
  return String(operand)
    .split(',')
    .map((one) => personId(world, one))
}

function personId({ people }: World, operand: Term['operand']): number {
  if (typeof operand === 'number') return operand
  const person = people.find(({ email }) => email.toLowerCase() === String(operand).toLowerCase())
  if (person === undefined) throw new Error(`the model has nobody with the address ${operand}`)
  return person.id
}

function isSame(people: readonly number[], others: readonly number[]): boolean {
  const [one, other] = [new Set(people), new Set(others)]
  return one.size === other.size && [...one].every((id) => other.has(id))
}
