import type { Handler } from '../handler.ts'

/** GET /metrics, in Prometheus' text format. */
export const getMetrics: Handler<'get-metrics'> = ({ server }) => server.metricsText()
