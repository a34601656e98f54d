/** The parts of the npm package that the tests use; it has no types. */
declare module 'zulip-js' {
  // Tests look into answers of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: raw JSON is asserted
  type Call = (parameters?: Readonly<Record<string, unknown>>) => Promise<any>
  interface Client {
    readonly config: { readonly apiKey: string }
    readonly callEndpoint: (
      path: string,
      method?: string,
      parameters?: Readonly<Record<string, unknown>>,
    ) => ReturnType<Call>
    readonly queues: { readonly register: Call; readonly deregister: Call }
    readonly events: { readonly retrieve: Call }
    readonly messages: { readonly send: Call; readonly retrieve: Call; readonly getById: Call }
    readonly streams: { readonly retrieve: Call; readonly subscriptions: { readonly retrieve: Call } }
    readonly users: {
      readonly retrieve: Call
      readonly create: Call
      readonly me: { readonly getProfile: Call; readonly subscriptions: { readonly add: Call } }
    }
  }
  export default function zulip(
    login:
      | { username: string; apiKey: string; realm: string }
      | { username: string; password: string; realm: string }
      | { zuliprc: string },
  ): Promise<Client>
}
