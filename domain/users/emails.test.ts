import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../conformance/seed-testing.ts'
import { BadRequestError } from '../errors.ts'
import { emailKey } from '../text/text-keys.ts'
import { textsIn } from '../text/texts-testing.ts'
import { checkEmail, isEmail, MAX_EMAIL_LENGTH } from './emails.ts'

const addressOfLength = (length: number) => `a@${`${'b'.repeat(49)}.`.repeat(5)}${'c'.repeat(length - 252)}`

test('accept addresses that a server could have', () => {
  for (const email of [
    'a@b',
    'iago@zulip.example',
    "o'b.c+d=e@x-1.y",
    'ü@é.example',
    'user5@localhost',
    addressOfLength(254),
  ]) {
    assert.equal(checkEmail(` ${email}\n`), email)
  }
})

test('refuse what is not an address', () => {
  const refused = [
    ...['', ...textsIn('a @ a@ @b a@b@c a␣b@c a@b␣c a@b\0 a⏎@b a@-b a@b- a@b..c a@.b a@b.')],
    ...textsIn('.a@b a.@b a..b@c "a"@b a@[1.2.3.4] a<b>@c a@b,c@d a@b_c \u202ea@b a@\ud800 \u212a@b'),
    ...[`${'a'.repeat(65)}@b`, `a@${'b'.repeat(64)}`, addressOfLength(MAX_EMAIL_LENGTH + 1), `${'ü'.repeat(33)}@b`],
  ]
  for (const email of refused) assert.throws(() => checkEmail(email), BadRequestError, JSON.stringify(email))
})

test('accept only addresses whose key is an address too', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.emailAddress(),
        fc.string({ unit: 'binary' }).map((text) => `${text}@b`),
      ),
      (raw) => {
        const email = raw.trim()
        if (isEmail(email)) assert.ok(isEmail(emailKey(email)), raw)
      },
    ),
  )
})
