/**
 * Encrypts a notification that only the device can read: base64 of a 24-byte nonce and libsodium's secretbox
 * (XSalsa20-Poly1305). The library is loaded on first use.
 *
 * @param key 32 bytes
 */
export async function encryptedFor(key: Uint8Array, notification: object): Promise<string> {
  const { default: sodium } = await import('libsodium-wrappers')
  await sodium.ready
  const nonce = sodium.randombytes_buf(sodium.crypto_secretbox_NONCEBYTES)
  const box = sodium.crypto_secretbox_easy(JSON.stringify(notification), nonce, key)
  return Buffer.concat([nonce, box]).toString('base64')
}
