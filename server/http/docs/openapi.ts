import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { namesNoChange, readOnlyNames } from '../../../contract/sent-back.ts';
import { problem } from '../../../contract/shapes.ts';
import type { Handled } from '../handle.ts';
import { docsPage } from './docs-page.ts';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the mounted endpoints, made from the contract alone. */
export function openApi(endpoints: readonly Endpoint[]): Json {
  const components: Json = {};
  const toSchema = (schema: z.ZodType, io: 'input' | 'output'): Json =>
    lift(z.toJSONSchema(schema, jsonOptions(io)), components);
  const problemSchema = toSchema(problem, 'output');
  const paths: Record<string, Json> = {};
  for (const one of endpoints) {
    const path = one.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [one.method.toLowerCase()]: operation(one, toSchema, problemSchema) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Milkrun',
      version: '0.1.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Every call answers errors as an RFC 9457 problem document whose detail is the sentence to show. Sign in with /api/auth/send-verification and /api/auth/verify-code; the session is a cookie. What was read may be sent back whole in a PUT, and in a PATCH where every field may be left out: read-only fields are not changed; a version among them, of a machine updatedAt, names the state the edit builds on, as If-Match does.',
    },
    paths,
    components: {
      schemas: components,
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'milkrun_session' } },
    },
  };
}

const jsonOptions = (io: 'input' | 'output') =>
  ({ target: 'draft-2020-12', io, unrepresentable: 'any', reused: 'inline' }) as const;

/** Moves the named schemas of a document into the shared components. */
function lift(schema: Json, components: Json): Json {
  const { $defs, $schema: _, id, ...rest } = schema;
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
    components[name] = repoint(definition);
  if (typeof id !== 'string') return repoint(rest) as Json;
  components[id] = repoint(rest);
  return { $ref: `#/components/schemas/${id}` };
}

function repoint(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(repoint);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '$schema')
      .map(([key, inner]) =>
        key === '$ref' && typeof inner === 'string'
          ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
          : [key, repoint(inner)],
      ),
  );
}

type ToSchema = (schema: z.ZodType, io: 'input' | 'output') => Json;

function operation(one: Endpoint, toSchema: ToSchema, problemSchema: Json): Json {
  const content = (schema: Json, type = 'application/json') => ({ content: { [type]: { schema } } });
  const parameters = [
    ...parametersOf(one.params, 'path', toSchema),
    ...parametersOf(one.query, 'query', toSchema),
    ...(one.once ? [sentOnce] : []),
  ];
  return {
    summary: one.summary,
    'x-needs': one.needs,
    security: one.needs === 'public' ? [] : [{ session: [] }],
    ...(parameters.length ? { parameters } : {}),
    ...(one.body ? { requestBody: { required: true, ...content(bodyOf(one, toSchema(one.body, 'input'))) } } : {}),
    responses: {
      [one.status ?? 200]: { description: 'Done', ...content(toSchema(one.reply, 'output')) },
      default: { description: 'Refused or failed', ...content(problemSchema, 'application/problem+json') },
    },
  };
}

const sentOnce: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Sent again with the same key, as when an answer got lost, it is refused with 409; remembered for a day. After an answer, a refusal too, the next try takes a new key',
  schema: { type: 'string', format: 'uuid' },
};

/** What was read may be sent back whole: its read-only fields are not changed. An edit names one field at least. */
function bodyOf(one: Endpoint, schema: Json): Json {
  const least = namesNoChange(one, {}) && schema.required === undefined ? { minProperties: 1 } : {};
  const ignored = readOnlyNames(one).map((name) => [name, { readOnly: true, description: 'As read; not changed' }]);
  if (ignored.length === 0) return { ...schema, ...least };
  return { ...schema, ...least, properties: { ...(schema.properties as Json), ...Object.fromEntries(ignored) } };
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query', toSchema: ToSchema): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toSchema(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: inner,
  }));
}

/** Serves the document at /api/openapi.json and a readable page of it at /api/docs. Neither holds data. */
export function mountOpenApi(app: FastifyInstance, handled: readonly Handled[]): void {
  const endpoints = handled.map((one) => one.endpoint);
  let json: string | undefined;
  let page: string | undefined;
  app.get('/api/openapi.json', async (_request, reply) => {
    json ??= JSON.stringify(openApi(endpoints));
    return reply.type('application/json; charset=utf-8').send(json);
  });
  app.get('/api/docs', async (_request, reply) => {
    page ??= docsPage(endpoints);
    return reply.type('text/html; charset=utf-8').send(page);
  });
}
