import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ImportedDatabase } from '../../db/imported-database.ts'
import { Secrets } from '../../secrets/secrets.ts'
import { Ground } from '../../server/ground-testing.ts'
import { archiveAt, writeArchive, writeLink } from '../../server/operator/archive-testing.ts'
import { settingChecks } from '../../server/operator/setting-checks.ts'
import { FORMAT } from '../archive.ts'
import { importArchive } from './import-archive.ts'

/** An import database that stores only the sizes of files. */
function unstored(): ImportedDatabase {
  const files = new Map<string, { id: number; path_id: string; size: number }>()
  const database: Partial<Record<keyof ImportedDatabase, unknown>> = {
    async add(table: string, row: { id: number; path_id: string; size: number }) {
      if (table === 'attachment') files.set(row.path_id, row)
    },
    flush: async () => undefined,
    topicId: async () => 1,
    conversationId: async () => 1,
    setSettings: async () => undefined,
    file: async (pathId: string) => files.get(pathId),
    async *files() {
      for (const { id, path_id: pathId } of files.values()) yield { id, pathId }
    },
    removeFilesWithout: async (has: (id: number) => boolean) => [...files.values()].filter(({ id }) => !has(id)).length,
    complete: async () => undefined,
  }
  return database as unknown as ImportedDatabase
}

/** Changes the files of a valid archive. */
type Spoilt = (files: Map<string, Buffer>) => Iterable<readonly [string, Buffer | string]>

const edited =
  (name: string, change: (line: Record<string, unknown>) => object | string): Spoilt =>
  (files) => {
    const lines = String(files.get(name)).trimEnd().split('\n')
    const last = name.endsWith('.json') ? lines.join('\n') : (lines.pop() ?? '')
    const changed = change(JSON.parse(last) as Record<string, unknown>)
    const text = typeof changed === 'string' ? changed : JSON.stringify(changed)
    return new Map<string, Buffer | string>([
      ...files,
      [name, [...(name.endsWith('.json') ? [] : lines), text, ''].join('\n')],
    ])
  }
const message = (change: object) => edited('messages/000001.jsonl', (line) => ({ ...line, ...change }))
const user = (change: object) => edited('users/000001.jsonl', (line) => ({ ...line, ...change }))
const settings = (change: object): Spoilt =>
  edited('organization.json', (line) => ({ ...line, settings: { ...(line.settings as object), ...change } }))

const REFUSED: readonly [Spoilt, RegExp][] = [
  [
    edited('export.json', (line) => ({ ...line, format: FORMAT + 1 })),
    new RegExp(`format ${FORMAT + 1}, .* reads format ${FORMAT}: a later one reads it`),
  ],
  [
    edited('export.json', (line) => ({ ...line, format: FORMAT - 1 })),
    new RegExp(`has format ${FORMAT - 1}, and this release of Parley reads format ${FORMAT}$`),
  ],
  [edited('export.json', () => ({ version: 9 })), /export\.json has no format: this is no archive of Parley/],
  [(files) => [...files].slice(1), /export\.json does not come first/],
  [() => [['readme.txt', 'hello']], /"readme\.txt" is no file of an archive/],
  [(files) => [...files, ['../../etc/passwd', 'root']], /"\.\.\/\.\.\/etc\/passwd" is no file of an archive/],
  [(files) => [...files, ['uploads/1/x', 'x']], /attachments says nothing of "uploads\/1\/x"/],
  [(files) => [...files, ['uploads/../../secret', 'x']], /attachments says nothing of "uploads\/\.\.\/\.\.\/secret"/],
  [(files) => [...files, ['/etc/passwd', 'x']], /"\/etc\/passwd" is no file/],
  [(files) => [...files, [`${'deep/'.repeat(40)}x`, 'x']], /"deep\/deep\/.*…" is no file of an archive/],
  [(files) => [...files, ['pictures/emoji/../../x.png', 'x']], /is no file of an archive/],
  [(files) => [...files].toSorted(([a], [b]) => (a < b ? -1 : 1)), /does not come first|comes too late/],
  [(files) => [...files, ['users/000002.jsonl', '']], /users\/000002\.jsonl comes too late/],
  [
    (files) => [...files].map(([name, text]) => [name.replace('messages/000001', 'messages/000003'), text] as const),
    /messages\/000003\.jsonl comes where part 1 has to be/,
  ],
  [(files) => [...files].filter(([name]) => name !== 'organization.json'), /organization\.json is missing/],
  [edited('messages/000001.jsonl', () => '{"id": 7,'), /messages\/000001\.jsonl line 7 is no JSON$/],
  [edited('messages/000001.jsonl', () => '[7]'), /messages\/000001\.jsonl line 7 is no JSON object/],
  [message({ sender_id: 4711 }), /line 7: sender_id names user 4711, which is not in the archive/],
  [message({ channel_id: 77 }), /line 7: channel_id names channel 77, which is not/],
  [message({ attachment_ids: ['5'] }), /line 7: attachment_ids: file is no whole number from 1/],
  [message({ recipient_ids: [1, 99] }), /recipient_ids: user names user 99/],
  [message({ topic: 'x'.repeat(61) }), /line 7: topic has more than 60 characters/],
  [message({ content: '\ud800' }), /line 7: content has half a character/],
  [message({ sent_at: '2026' }), /line 7: sent_at is no whole number from 0/],
  [message({ id: 3 }), /line 7: messages are not in the order of their ids/],
  [message({ id: 3_000_000 }), /line 7: export\.json says that no message is so new/],
  [message({ colour: 'red' }), /line 7: "colour" is not known/],
  [message({ sender_id: undefined }), /line 7: sender_id is missing/],
  [message({ edit_history: [{ user_id: 1, timestamp: 1, prev_content: 5 }] }), /line 7: edit_history is no text/],
  [message({ reactions: [{ user_id: 1 }] }), /line 7: reactions: emoji_name is missing/],
  [user({ role: 150 }), /users\/000001\.jsonl line 8: role is none of 100, 200, 300, 400, 600/],
  [user({ bot_owner_id: 4711 }), /users\/000001\.jsonl line 8: bot_owner_id names user 4711/],
  [user({ user_id: 1 }), /users\/000001\.jsonl line 8: there is user 1 already/],
  [user({ user_id: -1 }), /line 8: user_id is no whole number from 1 to 4294967295/],
  [
    settings({ waiting_period_threshold: 'x' }),
    /organization\.json: settings have a waiting_period_threshold that it must be integer/,
  ],
  [settings({ colour: 1 }), /organization\.json: settings have "colour", which is not known/],
  [settings({ can_create_groups: 4711 }), /organization\.json: "can_create_groups" names group 4711/],
  [settings({ signup_announcements_stream_id: 99 }), /"signup_announcements_stream_id" names channel 99/],
  [
    edited('private/settings/000001.jsonl', (line) => ({ ...line, settings: { enter_sends: 'yes' } })),
    /private\/settings\/000001\.jsonl line 7: settings have a enter_sends that it must be boolean/,
  ],
  [
    edited('private/subscriptions/000001.jsonl', (line) => ({ ...line, channel_id: 44 })),
    /private\/subscriptions\/000001\.jsonl line \d+: channel_id names channel 44/,
  ],
  [
    edited('attachments/000001.jsonl', (line) => ({ ...line, path_id: '1/../x' })),
    /attachments\/000001\.jsonl line 1: path_id is not like/,
  ],
  [edited('attachments/000001.jsonl', (line) => ({ ...line, size: 9 })), /has 17 bytes, and attachments says 9/],
]

test('damaged archives are refused with the file and the line', async (t) => {
  const ground = await Ground.make(t, 'sqlite')
  const { parley, as } = await ground.start()
  await as('member').upload('kept.txt', 'bytes of the file')
  await parley.stop()
  const archive = join(ground.dataFolder, 'export.tar.gz')
  await ground.run('export', archive, '--type', 'full_without_consent')
  const files = await archiveAt(archive)
  const checks = await settingChecks()
  const spoilt = join(ground.dataFolder, 'spoilt.tar.gz')
  const put: string[] = []
  const options = {
    credentials: { secrets: new Secrets('a secret'), passwordHash: '' },
    host: 'parley.example',
    checks,
    files: {
      put: async (key: string) => put.push(key),
      has: async () => false,
      remove: async (key: string) => void put.splice(put.indexOf(key), 1),
    },
    tell: () => undefined,
  }
  const read = (path: string) => importArchive(path, unstored(), options)
  for (const [spoil, says] of REFUSED) {
    await writeArchive(spoilt, spoil(files))
    await assert.rejects(read(spoilt), says)
    assert.deepEqual(put, [], `${says} left a file`)
  }
  await writeLink(spoilt, 'users/000001.jsonl', '/etc/passwd')
  await assert.rejects(read(spoilt), /"users\/000001\.jsonl" is no file but a symlink/)
  await writeFile(spoilt, 'hello')
  await assert.rejects(read(spoilt), /The archive is no gzip, or damaged/)
  await assert.rejects(read(join(ground.dataFolder, 'nothing')), /ENOENT/)
  await writeArchive(
    spoilt,
    [...files].filter(([name]) => !name.startsWith('uploads/')),
  )
  assert.equal((await read(spoilt)).lostFiles, 1)
  const { people, messages, lostFiles } = await read(archive)
  assert.deepEqual([people, messages, lostFiles, put.length], [8, 7, 0, 1])
})
