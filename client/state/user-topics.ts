import { byKey, keyed } from './order.ts'
import type { ClientPart } from './state.ts'
import { isSameTopic, recount, type UnreadFields, type UserTopic } from './unread.ts'

export const part: ClientPart<UnreadFields> = {
  fetched: ['user_topic'],
  empty: { user_topics: [] },
  apply: {
    user_topic: (state, { stream_id, topic_name, last_updated, visibility_policy }: UserTopic) => {
      state.user_topics = state.user_topics.filter(
        (one) => one.stream_id !== stream_id || !isSameTopic(one.topic_name, topic_name),
      )
      if (visibility_policy !== 0) state.user_topics.push({ stream_id, topic_name, last_updated, visibility_policy })
      recount(state)
    },
    // The older form of the same list. It names channels, and no event says when one becomes visible or invisible.
    muted_topics: () => {},
  },
  normalize: (state) => ({
    user_topics: byKey(state.user_topics, (one) => `${one.stream_id} ${one.topic_name}`),
    muted_topics: undefined,
  }),
  view: ({ user_topics: topics }, { channels }) => ({
    topic_policies: keyed(
      topics.filter(({ stream_id: id }) => channels.has(id)),
      ({ stream_id: id, topic_name: topic }) => `${channels.get(id)?.name} > ${topic.toLowerCase()}`,
      ({ visibility_policy: policy }) => policy,
    ),
  }),
}
