import { type Handler, RawAnswer } from '../handler.ts'

/** GET /metrics, in Prometheus' text format. */
export const getMetrics: Handler<'get-metrics'> = async ({ server }) =>
  new RawAnswer('text/plain; version=0.0.4; charset=utf-8', await server.metricsText())
