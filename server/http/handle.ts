import type { Readable } from 'node:stream';
import fastJson from 'fast-json-stringify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Endpoint, Parsed, Reply } from '../../contract/endpoint.ts';
import { namesNoChange, withoutReadOnly } from '../../contract/sent-back.ts';
import { AppError, type FieldErrors } from '../../domain/errors.ts';
import { may, permissions } from '../../domain/permissions.ts';
import { issuesOf, sayWhatToDo } from './bad-value.ts';
import type { Caller } from './caller.ts';
import { idempotencyKey } from './edit-headers.ts';
import { arePieces, type Pieces, textOfList } from './long-list.ts';

/** What a handler is given beside its parsed input. */
export type Call<E extends Endpoint> = Parsed<E> & {
  caller: E['needs'] extends 'public' ? Caller | null : Caller;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** A list may be answered in pieces. */
type Answer<E extends Endpoint> = Reply<E> | (Reply<E> extends readonly (infer R)[] ? Pieces<R> : never);
type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Answer<E>> | Answer<E>;

/** A mounted endpoint: its description and the work behind it. */
export type Handled = { endpoint: Endpoint; run: (call: Call<Endpoint>) => Promise<unknown> | unknown };

/** Ties a handler to its endpoint; parameter and reply types come from the contract. */
export function handle<E extends Endpoint>(endpoint: E, handler: NoInfer<Handler<E>>): Handled {
  // The shapes are proven by zod before `run` is called; only the generic link is lost in the list.
  return { endpoint, run: handler as unknown as Handled['run'] };
}

/** Recognises who calls; set by the sign-in feature. */
export type Recognise = (request: FastifyRequest, needs: Endpoint['needs']) => Promise<Caller | null>;

/** Refuses what makes something new and was sent before with this key; set by the sign-in feature. */
export type RefuseSentBefore = (caller: Caller, key: string) => Promise<void>;

type Gates = { recognise: Recognise; refuseSentBefore?: RefuseSentBefore };

/** Registers endpoints. One that does not say who may call it stops the start. */
export function mount(app: FastifyInstance, handled: readonly Handled[], gates: Gates): void {
  for (const one of handled) mountOne(app, one, gates);
}

function mountOne(app: FastifyInstance, { endpoint, run }: Handled, { recognise, refuseSentBefore }: Gates): void {
  requireAccess(endpoint);
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    handler: async (request, reply) => {
      const caller = await recognise(request, endpoint.needs);
      admit(endpoint, caller);
      const input = {
        params: parse(endpoint.params, request.params),
        query: parse(endpoint.query, request.query),
        body: bodyOf(endpoint, request),
      };
      const key = endpoint.once ? idempotencyKey(request.headers) : null;
      if (caller && key) await refuseSentBefore?.(caller, key);
      const answer = await run({ ...input, caller: caller as Caller, request, reply });
      if (reply.sent) return reply;
      // What a person may see stays out of the browser's cache; the phone's own store is wiped at sign-out.
      reply.header('cache-control', 'no-store');
      return reply
        .status(endpoint.status ?? 200)
        .type('application/json; charset=utf-8')
        .send(await textOf(endpoint, answer));
    },
  });
}

function textOf({ reply }: Endpoint, answer: unknown): string | Promise<string | Readable> {
  const serialise = serialiserOf(reply);
  return arePieces(answer) ? textOfList(answer, serialise) : serialise(answer);
}

function requireAccess(endpoint: Endpoint): void {
  const known: readonly string[] = ['public', 'signed-in', 'device', ...permissions];
  if (!known.includes(endpoint.needs)) {
    throw new Error(`${endpoint.method} ${endpoint.path} does not say who may call it.`);
  }
}

function admit(endpoint: Endpoint, caller: Caller | null): void {
  if (endpoint.needs !== 'public') admitted(endpoint.needs, caller);
}

/** The caller, who may do what is needed; refuses everybody else. Also for what is mounted beside the contract. */
export function admitted(needs: Exclude<Endpoint['needs'], 'public'>, caller: Caller | null): Caller {
  if (!caller) throw new AppError('not-signed-in', 'You are not signed in. Sign in to go on.');
  const isPermission = needs !== 'signed-in' && needs !== 'device';
  if (isPermission && !may(caller.role, needs)) {
    throw new AppError('not-allowed', 'Your role does not allow this. Ask an administrator if you need it.');
  }
  return caller;
}

/** What is missing in it is told first; what may all be left out may not be left out at once. */
function bodyOf(endpoint: Endpoint, request: FastifyRequest): unknown {
  const kept = sentBack(endpoint, request);
  const body = parse(endpoint.body, kept);
  if (!namesNoChange(endpoint, kept)) return body;
  throw nothingToChange();
}

/** The refusal of an edit that names nothing. */
export function nothingToChange(): AppError {
  const sentence = 'Nothing to change: send at least one field.';
  return new AppError('invalid-input', sentence, { fields: { body: sentence } });
}

/**
 * The body without what a record that was read carries beyond what may be changed; it has to be the record of the address. The
 * version it was read with says what the edit builds on, unless If-Match does: sent whole, an older state would undo what
 * others changed since.
 */
function sentBack(endpoint: Endpoint, { body, params, headers }: FastifyRequest): unknown {
  const kept = withoutReadOnly(endpoint, body);
  if (kept === body) return kept;
  const [sent, addressed] = [idOf(body), idOf(params)];
  if (sent !== undefined && addressed !== undefined && sent !== addressed) {
    const sentence = `The record sent has the id ${sent.slice(0, 50)}, the address names ${addressed}. Send a record to its own address.`;
    throw new AppError('invalid-input', sentence, { fields: { id: sentence } });
  }
  const version = namedIn(body, 'version');
  const isIgnored = namedIn(kept, 'version') === undefined;
  if (isIgnored && Number.isSafeInteger(version)) headers['if-match'] ??= `"${version}"`;
  return kept;
}

const namedIn = (from: unknown, name: string): unknown =>
  typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;

function idOf(from: unknown): string | undefined {
  const id = namedIn(from, 'id');
  return id === undefined || typeof id === 'string' ? id : JSON.stringify(id);
}

const parse = (schema: z.ZodType | undefined, value: unknown): unknown => schema && parseInput(schema, value);

/** What was sent, as the schema has it; refused in words where it is something else. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value ?? {}, { error: sayWhatToDo });
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error);
}

/** A refusal that names each wrong field; its sentence is the first one's. */
function invalidInput(error: z.ZodError): AppError {
  const fields: FieldErrors = {};
  for (const issue of issuesOf(error)) {
    const name = issue.path.join('.') || 'body';
    fields[name] ??= sentence(issue);
  }
  const [name, first] = Object.entries(fields)[0] ?? ['body', 'The input could not be read.'];
  const detail = /^[A-Z\d]/.test(first) && !first.startsWith('Invalid') ? first : `${name} ${first}.`;
  return new AppError('invalid-input', detail, { fields });
}

function sentence(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `Unknown field: ${issue.keys.slice(0, 5).join(', ').slice(0, 200)}`;
  return issue.message;
}

type Serialise = (value: unknown) => string;
const serialisers = new WeakMap<z.ZodType, Serialise>();

/** Built at a call's first reply: building all of them was most of the time a start took. */
export function serialiserOf(schema: z.ZodType): Serialise {
  const built = serialisers.get(schema) ?? buildSerialiser(schema);
  serialisers.set(schema, built);
  return built;
}

function buildSerialiser(schema: z.ZodType): Serialise {
  const json = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => foldNull(jsonSchema),
  });
  return fastJson(json as Parameters<typeof fastJson>[0]);
}

/** Turns 'this or null' into one nullable shape: a choice is made by validating the value against each, for every value written. */
function foldNull(shape: z.core.JSONSchema.BaseSchema): void {
  const { anyOf } = shape;
  const [one, other, ...more] = anyOf ?? [];
  if (typeof one !== 'object' || typeof other !== 'object' || more.length > 0 || other.type !== 'null') return;
  if (one.type === undefined || 'const' in one || 'enum' in one) return;
  delete shape.anyOf;
  Object.assign(shape, one, { nullable: true });
}
