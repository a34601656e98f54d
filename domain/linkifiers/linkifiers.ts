import { LRUCache } from 'lru-cache'
import type { Schemas } from '../../generated/operations.ts'
import { linkTarget } from '../markdown/links.ts'
import { LinkPattern, type LinkWork, linkWorkOfTopic } from './link-pattern.ts'
import { urlExpander } from './url-template.ts'

export type Linkifier = Schemas['Linkifier']
export type TopicLink = Schemas['TopicLink']

/** A link that a text implies. */
export interface FoundLink {
  readonly start: number
  readonly end: number
  readonly url: string
}

/** Matches allowed addresses of links. Other results of a template, and what is no URL at all, stay text. */
const SAFE_URL = /^(?:https?:\/\/|mailto:)/i
const MAX_URL_LENGTH = 2000
/** Cost of building an address, relative to the search. */
const STEPS_A_CHARACTER = 20
/** Maximum length of all addresses in one topic, because each of its messages contains them. */
const MAX_TOPIC_URLS_LENGTH = 2000
/** Maximum number of topics whose links are cached, and of their characters. */
const REMEMBERED = { max: 5000, maxSize: 2_000_000 }

/** Compiled patterns, including those of earlier lists, because compiling one takes up to some milliseconds. */
const compiled = new LRUCache<string, { readonly pattern: LinkPattern | undefined }>({ max: 500 })

function patternOf(source: string): LinkPattern | undefined {
  let known = compiled.get(source)
  if (known === undefined) {
    known = { pattern: LinkPattern.of(source) }
    compiled.set(source, known)
  }
  return known.pattern
}

/** The linkifiers of an organization at one moment; immutable. */
export class Linkifiers {
  /** In order: the first match counts. */
  readonly list: readonly Linkifier[]
  #finders: readonly { pattern: LinkPattern; urlOf: ReturnType<typeof urlExpander> }[] | undefined
  readonly #topics = new LRUCache<string, readonly TopicLink[]>({
    ...REMEMBERED,
    sizeCalculation: (links) => 1 + links.reduce((sum, { url }) => sum + url.length, 0),
  })

  constructor(list: readonly Linkifier[]) {
    this.list = list
  }

  /** Compiles the patterns at the start, while nobody waits: fifty may take a tenth of a second. */
  prepare(): void {
    this.#ready()
  }

  /** Returns the links in a text by position, without overlaps. */
  linksIn(text: string, work: LinkWork): FoundLink[] {
    const found: FoundLink[] = []
    for (const { pattern, urlOf } of this.#ready()) {
      for (const { start, end, groups } of pattern.matches(text, work)) {
        if (found.some((other) => start < other.end && other.start < end)) continue
        const address = urlOf(groups) ?? ''
        work.steps -= address.length * STEPS_A_CHARACTER
        if (address.length > MAX_URL_LENGTH) continue
        const url = linkTarget(address)
        if (SAFE_URL.test(url) && URL.canParse(url)) found.push({ start, end, url })
      }
    }
    return found.sort((a, b) => a.start - b.start)
  }

  /** Returns `topic_links` of messages in a topic. */
  topicLinks(topic: string): readonly TopicLink[] {
    if (this.list.length === 0) return []
    let links = this.#topics.get(topic)
    if (links === undefined) {
      let room = MAX_TOPIC_URLS_LENGTH
      links = this.linksIn(topic, linkWorkOfTopic()).flatMap(({ start, end, url }) => {
        room -= url.length
        return room < 0 ? [] : [{ text: topic.slice(start, end), url }]
      })
      this.#topics.set(topic, links)
    }
    return links
  }

  #ready() {
    this.#finders ??= this.list.flatMap(({ pattern: source, url_template }) => {
      const pattern = patternOf(source)
      return pattern ? [{ pattern, urlOf: urlExpander(url_template) }] : []
    })
    return this.#finders
  }
}

export const NO_LINKIFIERS = new Linkifiers([])
