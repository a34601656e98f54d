import { changeOwnPolicy } from '../../actions/messages/set-topic-visibility.ts'
import type { Tx } from '../../db/repositories.ts'
import { BadRequestError, IncompatibleParametersError, MissingParameterError } from '../../domain/errors.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { VISIBILITY } from '../../domain/topics/topic-visibility.ts'
import { normalizeTopicInput } from '../../domain/topics/topics.ts'
import { accessChannel, findChannelByName } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { Handler } from '../handler.ts'

/** PATCH /users/me/subscriptions/muted_topics, for older clients. Removes no policy except muting. */
export const muteTopic: Handler<'mute-topic'> = async ({ input, write }) => {
  const { stream_id: id, stream: name } = input
  if (id !== undefined && name !== undefined) throw new IncompatibleParametersError(['stream_id', 'stream'])
  const topic = normalizeTopicInput(input.topic)
  await write(async (tx, actor) => {
    const channelId = (id as ChannelId | undefined) ?? (await channelNamed(tx, actor, name)).channel.id
    const before = (await tx.userTopics.ofTopic(channelId, topic, [actor.id])).get(actor.id)
    // As with POST /user_topics, people can unmute a topic of a channel that they have lost.
    const unmutes = input.op === 'remove' && before === VISIBILITY.muted
    if (id !== undefined && !unmutes) await accessChannel(tx, actor, channelId)
    if (input.op === 'remove' && !unmutes) return
    const policy = input.op === 'add' ? VISIBILITY.muted : VISIBILITY.none
    await changeOwnPolicy(tx, actor, { channelId, topic, policy, lastUpdated: tx.organization.now })
  })
  return {}

  async function channelNamed(tx: Tx, actor: Actor, wanted: string | undefined) {
    if (wanted === undefined) throw new MissingParameterError('stream_id')
    const found = await findChannelByName(tx, actor, wanted)
    if (!found) throw new BadRequestError(`Invalid channel name '${wanted}'`)
    return found
  }
}
