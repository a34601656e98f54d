import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A push service that takes everything and brings it nowhere: with it every operation of a deployment can succeed. */
export async function startPushRelay(): Promise<{ readonly url: string; stop(): void }> {
  const service = createServer((request, response) => {
    request.resume()
    response.end('{}')
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  // Nobody waits for it to end.
  service.unref()
  return { url: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, stop: () => service.close() }
}
