import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ApiClient, onEachDatabase, ownParley, sharedParley } from '../../server/testing.ts'

const html = async (client: ApiClient, content: string): Promise<string> =>
  (await client.must('POST', '/messages/render', { content })).rendered

/** The id after `/with/` at the end of each topic link; empty if there is none. */
const positions = async (client: ApiClient, content: string): Promise<string[]> =>
  [...(await html(client, content)).matchAll(/class="stream-topic"[^>]*\/topic\/[^/"]*(?:\/with\/(\d+))?"/g)].map(
    ([, id = '']) => id,
  )

onEachDatabase('POST /messages/render', (dialect) => {
  const parley = sharedParley(dialect)

  test('links to external pictures, films and pages have no previews (DIFF-PREVIEWS)', async () => {
    const member = (await parley()).as('member')
    const { server_inline_image_preview: ofImages, server_inline_url_embed_preview: ofPages } = await member.must(
      'POST',
      '/register',
      { fetch_event_types: ['realm'] },
    )
    assert.deepEqual([ofImages, ofPages], [true, false])
    for (const url of ['/user_uploads/1/ab/x.png', 'https://example.com/x.png', 'https://example.com/page']) {
      const { rendered } = await member.must('POST', '/messages/render', { content: `[a](${url})` })
      assert.match(rendered, /^<p><a href="[^"]+"[^>]*>a<\/a><\/p>$/)
    }
  })

  test('widgets and links to the server look as in the message; long texts are cut, and null bytes are refused', async () => {
    const server = await parley()
    const member = server.as('member')
    const code = '```python\nx = 1\n```\n\n$$x^2$$'
    for (const content of [code, `${server.url}/#narrow`]) {
      const { id } = await member.must('POST', '/messages', { type: 'direct', to: [member.userId], content })
      assert.equal(await html(member, content), (await member.must('GET', `/messages/${id}`)).message.content)
    }
    const set = /<span class="mi">1<\/span>.*<annotation encoding="application\/x-tex">x\^2/s
    assert.match(await html(member, code), set)
    assert.equal(await html(member, ' \n'), '')
    assert.match(await html(member, 'x'.repeat(10_001)), /\[message truncated\]<\/p>$/)
    const { body } = await member.post('/messages/render', { content: 'a\0b' })
    assert.equal(body.msg, 'content must not contain null bytes')
  })

  test('the built-in emoji is a picture that everybody can load (REACT-10)', async () => {
    const server = await parley()
    const [, src] = /^<p><img alt=":zulip:" class="emoji" src="([^"]+)" title="zulip"><\/p>$/.exec(
      await html(server.as('guest'), ':zulip:'),
    ) ?? ['', '']
    const picture = await fetch(new URL(src, server.url))
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'])
    assert.match(Buffer.from(await picture.arrayBuffer()).toString('latin1'), /^\x89PNG\r\n/)
  })

  test('deactivated users are named silently, as in quotes; active ones take precedence', async () => {
    const server = await parley()
    const member = server.as('member')
    const name = server.unique('Leaver')
    const gone = await server.newUser(name)
    const shown = (id: number, isSilent: boolean): string =>
      `<span class="user-mention${isSilent ? ' silent' : ''}" data-user-id="${id}">${isSilent ? '' : '@'}${name}</span>`
    await server.as('owner').must('DELETE', `/users/${gone.userId}`)
    for (const written of [`@**${name}**`, `@_**${name}|${gone.userId}**`, `@**|${gone.userId}**`]) {
      assert.equal(await html(member, `${written} was here`), `<p>${shown(gone.userId, true)} was here</p>`)
    }
    const id = await member.send('general')
    await member.must('PATCH', `/messages/${id}`, { content: `@**${name}**` })
    await server.as('owner').must('POST', `/users/${gone.userId}/reactivate`)
    assert.deepEqual((await gone.must('GET', `/messages/${id}`)).message.flags.includes('mentioned'), false)

    await server.as('owner').must('DELETE', `/users/${gone.userId}`)
    const namesake = await server.newUser()
    await server.as('owner').must('PATCH', `/users/${namesake.userId}`, { full_name: name })
    assert.equal(await html(member, `@**${name}**`), `<p>${shown(namesake.userId, false)}</p>`)
    assert.equal(await html(member, `@**${name}|${gone.userId}**`), `<p>${shown(gone.userId, true)}</p>`)
  })

  test('the notification bot can be named, as in a reminder of its message', async () => {
    const server = await parley()
    const member = server.as('member')
    const { cross_realm_bots: bots } = await member.must('POST', '/register', { fetch_event_types: ['realm_user'] })
    const [{ user_id: id, full_name: name }] = bots
    const content = `@**${name}** @_**${name}|${id}**`
    const of = (text: string, more = '') => `<span class="user-mention${more}" data-user-id="${id}">${text}</span>`
    const expected = `<p>${of(`@${name}`)} ${of(name, ' silent')}</p>`
    assert.equal(await html(member, content), expected)
    const channel = await server.newChannel([member])
    const sent = await member.send(channel.name, content)
    const { message } = await member.must('GET', `/messages/${sent}`)
    assert.equal(message.content, expected)
  })

  test('link topics at the newest message that the caller may read', async () => {
    const server = await parley()
    const [owner, late] = [server.as('owner'), await server.newUser()]
    const open = await server.newChannel([owner])
    const hidden = await server.newChannel([owner], { invite_only: true, history_public_to_subscribers: false })
    const send = async (to: number, topic: string) => String(await owner.send(to, 'x', { topic }))
    await send(open.id, 'lunch')
    const newest = await send(open.id, 'LUNCH')
    const untitled = await send(open.id, '')
    const before = await send(hidden.id, 'lunch')
    const links = `#**${open.name}>lunch** #**${open.name}>** #**${open.name}>new** #**${hidden.name}>lunch**`
    assert.deepEqual(await positions(owner, links), [newest, untitled, '', before])
    assert.deepEqual(await positions(late, links), [newest, untitled, ''], 'the hidden channel is no link')
    assert.deepEqual(await positions(server.as('guest'), links), [], 'who knows neither channel')
    assert.deepEqual(await positions(server.as('admin'), links), [newest, untitled, '', ''], 'known, but not read')

    await owner.must('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: hidden.name }],
      principals: [late.userId],
    })
    assert.deepEqual(await positions(late, links), [newest, untitled, '', ''], 'not received')
    const received = await send(hidden.id, 'Lunch')
    assert.deepEqual(await positions(late, links), [newest, untitled, '', received])
    await late.must('POST', '/messages', { type: 'channel', to: hidden.id, topic: 'other', content: links })
  })

  test('flag the members of a mentioned group who receive the message', async (t) => {
    const server = await ownParley(t, dialect)
    const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
    const outsider = await server.newUser()
    await server.inDatabase(async ({ knex }) => {
      const row = { description: '', is_system_group: false }
      await knex('user_group').insert({ ...row, id: 20, name: 'crew' })
      await knex('user_group').insert({ ...row, id: 21, name: 'inner' })
      await knex('user_group').insert({ ...row, id: 22, name: 'ranks' })
      await knex('user_group_subgroup').insert([
        { group_id: 20, subgroup_id: 21 },
        { group_id: 21, subgroup_id: 20 }, // loops end
        { group_id: 22, subgroup_id: 2 },
      ])
      await knex('user_group_member').insert([
        { group_id: 21, user_id: member2.userId },
        { group_id: 20, user_id: outsider.userId },
      ])
    })
    const principals = [owner, member, member2].map((user) => user.userId)
    await member.must('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'Deck' }], principals })

    const mentioned = async (by: ApiClient, place: Record<string, unknown>, content: string): Promise<string[]> => {
      const { id } = await by.must('POST', '/messages', { ...place, content })
      const readers = { owner, member, member2, outsider }
      const names: string[] = []
      for (const [name, reader] of Object.entries(readers)) {
        const { status, body } = await reader.get(`/messages/${id}`)
        if (status === 200 && body.message.flags.includes('mentioned')) names.push(name)
      }
      return names
    }
    const deck = { type: 'channel', to: 'Deck', topic: 't' }
    assert.deepEqual(await mentioned(member, deck, '@*crew*'), ['member2'], 'the outsider does not receive it')
    assert.deepEqual(await member2.newest([['mentions', member2.email]]), [], 'nobody is mentioned by name')
    assert.deepEqual(await mentioned(member, deck, `@*crew* @**|${owner.userId}** @_**|${member.userId}**`), [
      'owner',
      'member2',
    ])
    assert.deepEqual(await mentioned(member, deck, '`@*crew*`'), [])
    assert.deepEqual(await mentioned(member, deck, '@*ranks*'), ['owner'], 'who is in a system group inside')
    const direct = { type: 'direct', to: [outsider.userId] }
    assert.deepEqual(await mentioned(member, direct, '@*crew*'), ['outsider'])
  })
})
