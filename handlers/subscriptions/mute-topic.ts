import { setTopicVisibility } from '../../actions/messages/set-topic-visibility.ts'
import type { Tx } from '../../db/repositories.ts'
import { accepted } from '../../domain/checked.ts'
import { BadRequestError, IncompatibleParametersError, MissingParameterError } from '../../domain/errors.ts'
import { VISIBILITY } from '../../domain/topics/topic-visibility.ts'
import { normalizeTopicInput } from '../../domain/topics/topics.ts'
import { accessChannel, findChannelByName } from '../../permissions/access-channel.ts'
import type { Actor } from '../../permissions/actor.ts'
import type { Handler } from '../handler.ts'

/** PATCH /users/me/subscriptions/muted_topics, for older clients. Removes no policy except muting. */
export const muteTopic: Handler<'mute-topic'> = async ({ input, write }) => {
  const { stream_id: id, stream: name } = input
  if (id !== undefined && name !== undefined) throw new IncompatibleParametersError(['stream_id', 'stream'])
  const topic = accepted(normalizeTopicInput(input.topic))
  await write(async (tx, actor) => {
    const { channel } = id !== undefined ? await accessChannel(tx, actor, id) : await channelNamed(tx, actor, name)
    const place = { channelId: channel.id, topic }
    const before = (await tx.userTopics.ofTopic(place.channelId, place.topic, [actor.id])).get(actor.id)
    if (input.op === 'remove' && before !== VISIBILITY.muted) return
    const policy = input.op === 'add' ? VISIBILITY.muted : VISIBILITY.none
    await setTopicVisibility(tx, actor, { ...place, policy, lastUpdated: tx.organization.now })
  })
  return {}

  async function channelNamed(tx: Tx, actor: Actor, wanted: string | undefined) {
    if (wanted === undefined) throw new MissingParameterError('stream_id')
    const found = await findChannelByName(tx, actor, wanted)
    if (!found) throw new BadRequestError(`Invalid channel name '${wanted}'`)
    return found
  }
}
