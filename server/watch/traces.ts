import type { Attributes } from '@opentelemetry/api';

/** Where spans go: OTLP over HTTP, e.g. an OpenTelemetry collector on port 4318. */
export type TraceTarget = { endpoint: string; headers: Record<string, string>; service: string };

/** Ends the span of a call. */
export type EndCall = (name: string, attributes: Attributes, failed: boolean) => void;

export type Tracer = {
  /** Begins a span for a call that came in and runs `work` within it; the caller's traceparent header is its parent. */
  begin: (headers: object, work: () => void) => EndCall;
  /** A statement that just ended, as a child of the call it belongs to; outside a call it is not kept. */
  query: (statement: string, ms: number, failed: boolean) => void;
  stop: () => Promise<void>;
};

const longestStatement = 500;
/** A collector that is away must not hold a stop. */
const exportTimeoutMs = 3_000;

/** Sends spans in the background; a collector that is away costs spans, never a call. The libraries are loaded only here. */
export async function createTracer({ endpoint, headers, service }: TraceTarget): Promise<Tracer> {
  const { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api');
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: exportTimeoutMs });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  const tracer = provider.getTracer('milkrun');
  return {
    begin: (given, work) => {
      const parent = propagation.extract(ROOT_CONTEXT, given);
      const span = tracer.startSpan('call', { kind: SpanKind.SERVER }, parent);
      context.with(trace.setSpan(parent, span), work);
      return (name, attributes, failed) => {
        span.updateName(name).setAttributes(attributes);
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      };
    },
    query: (statement, ms, failed) => {
      if (!trace.getSpan(context.active())) return;
      const endedAt = Date.now();
      const name = statement.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? 'QUERY';
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime: endedAt - ms });
      span.setAttributes({ 'db.system': 'postgresql', 'db.query.text': statement.slice(0, longestStatement) });
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endedAt);
    },
    stop: async () => {
      // What could not be sent is gone; that must not keep the process.
      await provider.shutdown().catch(() => {});
      context.disable();
      propagation.disable();
      trace.disable();
    },
  };
}

/** The form of OTEL_EXPORTER_OTLP_HEADERS: `name=value,name=value`. */
export function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [name.trim(), decodeURIComponent(value.join('='))];
    }),
  );
}
