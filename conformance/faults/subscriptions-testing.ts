import type { PassingRequest, SeededFault } from '../testing.ts'
import { type Json, ofSuccess } from './changes-testing.ts'

/** A fault of every subscription that is listed; `wanted` picks the requests for the list. */
function ofSubscriptions(
  change: (subscription: Json, request: PassingRequest) => void,
  wanted: (request: PassingRequest) => boolean = () => true,
): SeededFault['fault'] {
  return ofSuccess('GET', /^\/users\/me\/subscriptions$/, (body, request) => {
    if (wanted(request)) for (const one of body.subscriptions) change(one, request)
  })
}

const withSubscribers = ({ parameters }: PassingRequest): boolean => parameters.get('include_subscribers') === 'true'

/** Fields that each have another value than they should; undefined: none at all. */
function fields(
  only: string,
  wrong: readonly (readonly [name: string, violates: string, value: unknown])[],
): SeededFault {
  const fault = ofSubscriptions((subscription) => {
    for (const [name, , value] of wrong) subscription[name] = value
  })
  return {
    name: `${only} with wrong ${wrong.map(([name]) => name).join()}`,
    only,
    violates: wrong.map(([, violates]) => violates),
    fault,
  }
}

/** The unnamed group that the check asks for comes back as `value`. */
function unnamedGroup(violates: readonly string[], value: unknown): SeededFault {
  const fault = ofSubscriptions((subscription) => {
    if (typeof subscription.can_remove_subscribers_group === 'object') subscription.can_remove_subscribers_group = value
  })
  return { name: `unnamed group as ${JSON.stringify(value)}`, only: 'subscriptions/groups', violates, fault }
}

export const faults: readonly SeededFault[] = [
  fields('subscriptions/channel', [
    ['description', 'SUB-FIELD-5', '<p>Made by a conformance test.</p>'],
    ['rendered_description', 'SUB-FIELD-6', 'Made by a **conformance** test.'],
    ['date_created', 'SUB-FIELD-7', '2026-01-01T00:00:00Z'],
    ['creator_id', 'SUB-FIELD-8', 0],
    ['invite_only', 'SUB-FIELD-9', true],
    ['is_announcement_only', 'SUB-FIELD-26', null],
    ['is_web_public', 'SUB-FIELD-27', true],
    ['stream_post_policy', 'SUB-FIELD-29', 5],
    ['message_retention_days', 'SUB-FIELD-30', 0],
    ['history_public_to_subscribers', 'SUB-FIELD-32', null],
    ['folder_id', 'SUB-FIELD-34', 1],
    ['topics_policy', 'SUB-FIELD-35', 'as_ever'],
    ['is_recently_active', 'SUB-FIELD-38', undefined],
    ['stream_weekly_traffic', 'SUB-FIELD-39', -1],
    ['is_archived', 'SUB-FIELD-48', true],
    ['email_address', 'SUB-FIELD-49', 'design.abc@example.com'],
  ]),
  fields('subscriptions/channel', [
    ['topics_policy', 'SUB-FIELD-36', 'allow_empty_topic'],
    ['stream_weekly_traffic', 'SUB-FIELD-40', 0],
    ['subscriber_count', 'SUB-FIELD-48', 0],
    ['role', 'SUB-FIELD-49', 50],
  ]),
  fields('subscriptions/personal', [
    ['desktop_notifications', 'SUB-FIELD-16', 'on'],
    ['email_notifications', 'SUB-FIELD-17', undefined],
    ['push_notifications', 'SUB-FIELD-18', 1],
    ['audible_notifications', 'SUB-FIELD-19', 'null'],
    ['wildcard_mentions_notify', 'SUB-FIELD-20', {}],
    ['pin_to_top', 'SUB-FIELD-21', null],
    ['is_muted', 'SUB-FIELD-22', true],
    ['color', 'SUB-FIELD-28', 'red'],
  ]),
  fields('subscriptions/personal', [
    ['desktop_notifications', 'SUB-FIELD-16', true],
    ['email_notifications', 'SUB-FIELD-17', false],
    ['push_notifications', 'SUB-FIELD-18', true],
    ['audible_notifications', 'SUB-FIELD-19', true],
    ['wildcard_mentions_notify', 'SUB-FIELD-20', true],
  ]),
  {
    name: '0 for a channel that nobody on record has made',
    only: 'subscriptions/creators',
    violates: ['SUB-FIELD-8'],
    fault: ofSuccess('GET', /^\/users\/me\/subscriptions$/, ({ subscriptions }) => {
      subscriptions.push({ ...subscriptions[0], stream_id: 999_999, name: 'made by nobody', creator_id: 0 })
    }),
  },
  {
    // It makes channels for the web, which Parley does not: without the parameter one is made there, too.
    name: 'channel for the web that says nothing of it',
    only: 'subscriptions/web-public',
    violates: ['SUB-FIELD-27'],
    before: ({ form }) => form.delete('is_web_public'),
    fault: () => undefined,
  },
  {
    name: 'subscriptions by ID',
    only: 'subscriptions/channel',
    violates: ['SUBS-3'],
    fault: ofSuccess('GET', /subscriptions$/, (body, request) => {
      if (!withSubscribers(request)) return
      body.subscriptions = Object.fromEntries(body.subscriptions.map((one: Json) => [one.stream_id, one]))
    }),
  },
  {
    name: 'subscriptions without a field of their channel',
    only: 'subscriptions/channel',
    violates: ['SUB-FIELD-1'],
    fault: ofSubscriptions((one) => {
      delete one.invite_only
    }),
  },
  {
    name: 'channel under another ID',
    only: 'subscriptions/channel',
    violates: ['SUB-FIELD-3'],
    fault: ofSubscriptions((one) => {
      one.stream_id = String(one.stream_id)
    }, withSubscribers),
  },
  {
    name: 'channel under another name',
    only: 'subscriptions/channel',
    violates: ['SUB-FIELD-4'],
    fault: ofSubscriptions((one) => {
      one.name = one.name.toUpperCase()
    }, withSubscribers),
  },
  fields('subscriptions/groups', [
    ['can_add_subscribers_group', 'SUB-FIELD-41', 'members'],
    ['can_administer_channel_group', 'SUB-FIELD-43', null],
    ['can_delete_any_message_group', 'SUB-FIELD-44', undefined],
    ['can_create_topic_group', 'SUB-FIELD-47', { direct_members: [7] }],
    ['stream_post_policy', 'LEVEL-333', undefined],
  ]),
  fields('subscriptions/groups', [['can_remove_subscribers_group', 'SUB-FIELD-42', [7]]]),
  fields('subscriptions/groups', [['can_resolve_topics_group', 'GSV-1', 'members']]),
  {
    name: 'groups by name in the list of channels',
    only: 'group-settings/everywhere',
    violates: ['GSV-1'],
    fault: ofSuccess('GET', /^\/streams$/, ({ streams }) => {
      for (const one of streams) one.can_send_message_group = 'role:members'
    }),
  },
  {
    name: 'groups by name in the settings of the organization',
    only: 'group-settings/everywhere',
    violates: ['GSV-1'],
    fault: ofSuccess('POST', /^\/register$/, (body) => {
      if ('realm_can_create_groups' in body) body.realm_can_create_public_channel_group = 'role:members'
    }),
  },
  {
    name: 'nobody named in events, nor in settings but one',
    only: 'group-settings/everywhere',
    violates: ['GSV-1', 'GSV-2', 'GSV-3'],
    fault: ofSuccess('GET', /^\/events$/, ({ events }) => {
      for (const one of events.flatMap(({ subscriptions, streams }: Json) => subscriptions ?? streams ?? [])) {
        for (const name of Object.keys(one)) if (/^can_(?!remove)/.test(name)) one[name] = 2
      }
    }),
  },
  unnamedGroup(['GSV-2', 'GSV-3'], { direct_members: ['7'], direct_subgroups: ['8'] }),
  unnamedGroup(['GSV-2', 'GSV-3'], { direct_members: [], direct_subgroups: [] }),
  unnamedGroup(['GSV-1'], 7),
  fields('subscriptions/history', [['first_message_id', 'SUB-FIELD-33', null]]),
  fields('subscriptions/history', [['first_message_id', 'SUB-FIELD-33', 1]]),
  fields('subscriptions/private', [
    ['invite_only', 'SUB-FIELD-9', false],
    ['history_public_to_subscribers', 'SUB-FIELD-32', true],
  ]),
  { ...fields('subscriptions/unlimited', [['message_retention_days', 'SUB-FIELD-31', null]]), needsUsers: true },
]
