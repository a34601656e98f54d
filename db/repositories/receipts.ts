import { ascending, type ChannelId, type DirectGroupId, type MessageId, type UserId } from '../../domain/ids.ts'
import { FLAG } from '../../domain/messages/flags.ts'
import { BLOCK_SIZE, type BlockForm, blockOf, isRead } from '../../domain/messages/read-state.ts'
import { Repository } from '../repository.ts'
import type { SqlValue } from '../session.ts'

/** The place where a message was sent, which decides who received it. */
export type Reception =
  | { readonly messageId: MessageId; readonly originChannelId: ChannelId }
  | { readonly messageId: MessageId; readonly directGroupId: DirectGroupId }

interface ReadStateRow {
  readonly user_id: UserId
  readonly settings: string
  readonly read_through: number
  readonly form: number | null
  readonly bits: Uint8Array | null
}

/** For the two forms that are bitmaps, reads only the byte with the message's bit. */
const STATE = `u.id as user_id, u.settings, u.read_through, r.form,
    case when r.form = 1 then r.bits else substr(r.bits, ?, 1) end as bits`
const BLOCK = 'left join read_block r on r.user_id = u.id and r.block = ?'
/** Users who did not receive it, but have a read state because they flagged it. */
const MARKED = `p.message_id = ? and (p.flags & ${FLAG.historical}) <> 0`
const COVERED = 'p.channel_id = ? and p.after_message_id < ? and (p.to_message_id is null or p.to_message_id >= ?)'

function hasRead(row: ReadStateRow, messageId: number): boolean {
  if (row.form === null) return isRead(messageId, row.read_through, undefined)
  const block = { form: row.form as BlockForm, bits: row.bits ?? new Uint8Array() }
  // In a single byte of a bitmap, the bit of a message is at the position that messages 0 to 7 have in the first byte.
  return isRead(row.form === 1 ? messageId : messageId % 8, row.read_through, block)
}

/** Users who have received and read a message. */
export class ReceiptReader extends Repository {
  /** Returns those of `userIds` who received the channel message when it was sent, by ascending ID. */
  async receivedAmong(originChannelId: ChannelId, messageId: MessageId, userIds: readonly UserId[]): Promise<UserId[]> {
    if (userIds.length === 0) return []
    const rows: { user_id: UserId }[] = await this.session
      .knex('subscription_span as p')
      .whereIn('p.user_id', [...userIds])
      .whereRaw(COVERED, channelParams({ originChannelId, messageId }))
      .distinct('p.user_id')
      .orderBy('p.user_id')
    return rows.map((row) => row.user_id)
  }

  /**
   * Returns the users who have read the message, among those with an event queue who received or flagged it, by
   * ascending ID. The cost grows with the connected users, not with the subscribers of the channel.
   */
  async readersWithQueues(reception: Reception): Promise<UserId[]> {
    const { messageId } = reception
    const [received, params] =
      'originChannelId' in reception
        ? [`(select 1 from subscription_span p where p.user_id = u.id and ${COVERED})`, channelParams(reception)]
        : ['(select 1 from direct_group_member p where p.user_id = u.id and p.group_id = ?)', [reception.directGroupId]]
    return this.#readers(
      `select ${STATE} from (select distinct user_id from event_queue) q join user u on u.id = q.user_id ${BLOCK}
         where exists ${received} or exists (select 1 from message_flag p where p.user_id = u.id and ${MARKED})`,
      messageId,
      [...params, messageId],
    )
  }

  /** Returns stored flags of the message, for users with an event queue. */
  async flagsWithQueues(messageId: MessageId): Promise<(readonly [UserId, number])[]> {
    const rows = await this.session.all<{ user_id: UserId; flags: number }>(
      `select f.user_id, f.flags from message_flag f where f.message_id = ? and f.flags <> 0
         and exists (select 1 from event_queue q where q.user_id = f.user_id) order by f.user_id`,
      [messageId],
    )
    return rows.map((row) => [row.user_id, row.flags] as const)
  }

  /**
   * Returns the users who have read the message and send read receipts, by ascending ID. These are active accounts that
   * received or flagged it, without `sender`, and without users who have muted `viewer` or whom `viewer` has muted.
   */
  async receipts(
    reception: Reception,
    { senderId, viewerId }: { readonly senderId: UserId; readonly viewerId: UserId },
  ): Promise<UserId[]> {
    const { messageId } = reception
    const readersOf = (source: string, params: readonly SqlValue[]): Promise<UserId[]> =>
      this.#readers(
        `select ${STATE} from ${source} and u.is_active = 1 and u.id <> ?
           and not exists (select 1 from muted_user a where a.user_id = u.id and a.muted_user_id = ?)
           and not exists (select 1 from muted_user b where b.user_id = ? and b.muted_user_id = u.id)`,
        messageId,
        [...params, senderId, viewerId, viewerId],
        (row) => sendsReceipts(row.settings),
      )
    const user = `p join user u on u.id = p.user_id ${BLOCK} where`
    if ('directGroupId' in reception) {
      return readersOf(`direct_group_member ${user} p.group_id = ?`, [reception.directGroupId])
    }
    const received = await readersOf(`subscription_span ${user} ${COVERED}`, channelParams(reception))
    const marked = await readersOf(`message_flag ${user} ${MARKED}`, [messageId])
    return ascending([...received, ...marked])
  }

  /** @param after values of the placeholders that follow the one of the block */
  async #readers(
    sql: string,
    messageId: MessageId,
    after: readonly SqlValue[],
    isWanted: (row: ReadStateRow) => boolean = () => true,
  ): Promise<UserId[]> {
    const byte = Math.floor((messageId % BLOCK_SIZE) / 8) + 1
    const rows = await this.session.all<ReadStateRow>(sql, [byte, blockOf(messageId), ...after])
    return rows.flatMap((row) => (isWanted(row) && hasRead(row, messageId) ? [row.user_id] : [])).sort((a, b) => a - b)
  }
}

function channelParams({ originChannelId, messageId }: Extract<Reception, { originChannelId: ChannelId }>): number[] {
  return [originChannelId, messageId, messageId]
}

/** @param settings JSON of the settings that differ from the defaults */
function sendsReceipts(settings: string): boolean {
  return settings === '{}' || JSON.parse(settings).send_read_receipts !== false
}
