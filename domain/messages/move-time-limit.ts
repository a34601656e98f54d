import { ApiError } from '../errors.ts'

/** Part of the topic is older than the caller may move (ERR-16 to ERR-19). */
export class MoveTimeLimitError extends ApiError {
  readonly code = 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED'
  override readonly data: {
    readonly first_message_id_allowed_to_move: number | null
    readonly total_messages_in_topic: number
    readonly total_messages_allowed_to_move: number
  }
  /**
   * @param first oldest message that may be moved, together with all later ones; null for none
   * @param total messages of the topic that the caller may read
   */
  constructor(first: number | null, allowed: number, total: number) {
    super(`You may move only the ${allowed} newest of the ${total} messages of this topic`)
    this.data = {
      first_message_id_allowed_to_move: first,
      total_messages_in_topic: total,
      total_messages_allowed_to_move: allowed,
    }
  }
}
