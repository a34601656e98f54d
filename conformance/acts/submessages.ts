import { ourKind, some } from '../laws/action-kind.ts'

const vote = { msg_type: 'widget', content: '{"type":"vote","key":"canned,0","vote":1}' }

export const actions = [
  ourKind(
    'vote',
    () => ({ poll: some }),
    async (world, { who, poll }) => {
      const polls = () => world.messages.filter(({ content }) => content.startsWith('/poll'))
      const place = { type: 'stream', to: world.channel(0).id, topic: 'polls' }
      if (polls().length === 0) await world.send(world.person(who), { ...place, content: '/poll Tea?' })
      const { id } = polls()[poll % polls().length] ?? {}
      return id === undefined ? undefined : world.person(who).call('add-submessage', { message_id: id, ...vote })
    },
    { weight: 2 },
  ),
]
