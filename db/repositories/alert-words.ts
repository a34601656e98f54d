import type { UserId } from '../../domain/ids.ts'
import { wordKey } from '../../domain/text/text-keys.ts'
import { Pauses } from '../../event-loop/pauses.ts'
import { insertMany } from '../insert-many.ts'
import { Repository } from '../repository.ts'

/** Alert words of users. */
export class AlertWordReader extends Repository {
  /** In the order in which they were added. */
  async of(userId: UserId): Promise<string[]> {
    const rows = await this.session.all<{ word: string }>('select word from alert_word where user_id = ? order by id', [
      userId,
    ])
    return rows.map((row) => row.word)
  }

  /** Returns all words by user; users without any have no key. One query. */
  async all(): Promise<Map<UserId, string[]>> {
    const rows = await this.session.all<{ user_id: UserId; word: string }>(
      'select user_id, word from alert_word order by id',
    )
    return new Map([...Map.groupBy(rows, (row) => row.user_id)].map(([id, own]) => [id, own.map((row) => row.word)]))
  }
}

export class AlertWordWriter extends AlertWordReader {
  /** Adds words that are not there yet, regardless of case. Returns whether any was added. */
  async add(userId: UserId, words: readonly string[]): Promise<boolean> {
    if (words.length === 0) return false
    const known = new Set((await this.of(userId)).map(wordKey))
    const added = new Map<string, string>()
    for (const word of words) {
      const key = wordKey(word)
      if (!known.has(key) && !added.has(key)) added.set(key, word)
    }
    const rows = [...added].map(([key, word]) => [userId, word, key])
    await insertMany(this.session, 'alert_word (user_id, word, word_key)', rows, new Pauses())
    return added.size > 0
  }

  /** Removes words regardless of case. Returns whether any was removed. */
  async remove(userId: UserId, words: readonly string[]): Promise<boolean> {
    const removed: number = await this.session
      .knex('alert_word')
      .where({ user_id: userId })
      .whereIn('word_key', words.map(wordKey))
      .delete()
    return removed > 0
  }
}
