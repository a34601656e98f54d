import type { SeededFault } from '../testing.ts'
import { changedJson, misanswered, misread, without } from './misreadings-testing.ts'

const creation = ['POST', '/channels/create'] as const
const needsUsers = { needsUsers: true }

/** Parameters of operations that make channels, passed over or taken for others. */
export const faults: readonly SeededFault[] = [
  ...[
    ...['invite_only', 'history_public_to_subscribers', 'topics_policy', 'message_retention_days', 'description'],
    ...['can_subscribe_group', 'can_create_topic_group'],
  ].map((name) =>
    misread('create-channel', `new channels with ${name} passed over`, creation, without(name), needsUsers),
  ),
  misread(
    'create-channel',
    'new channels with one follower too few',
    creation,
    changedJson('subscribers', (ids: number[]) => ids.slice(1)),
    needsUsers,
  ),
  misanswered(
    'create-channel',
    'new channels whose name is taken, as any wrong request',
    (answer, { path }) => {
      if (path === '/channels/create' && answer.status === 409) answer.status = 400
    },
    true,
  ),
  misread(
    'create-channel/nobody',
    'new channels without those who are not there',
    creation,
    changedJson('subscribers', (ids: number[]) => ids.filter((id) => id < 2_000_000_000)),
  ),
]
