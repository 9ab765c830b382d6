import type { z } from 'zod';
import type { Permission } from '../domain/permissions.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Schema = z.ZodType;

/** Who may call: everyone, a signed-in person, a holder of the append-only device credential, or a permission. */
export type Access = 'public' | 'signed-in' | 'device' | Permission;

/** One call of the wire: the only description that server, client and the OpenAPI document share. */
export type Endpoint = {
  method: Method;
  path: string;
  /** One sentence for the API document. */
  summary: string;
  needs: Access;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  reply: Schema;
  /** Of an edit: what a list or page tells of the record beyond the reply, so that it may be sent back too. */
  readAs?: Schema;
  /** Makes something new each time: sent again with the same Idempotency-Key, as when an answer got lost, it makes no second one. */
  once?: true;
  /** Status of success; 200 where absent. */
  status?: number;
};

/** Keeps the literal type of an endpoint, so that handlers and callers know its path and shapes. */
export function endpoint<const E extends Endpoint>(description: E): E {
  return description;
}

type InputOf<S> = S extends Schema ? z.input<S> : undefined;
type OutputOf<S> = S extends Schema ? z.output<S> : undefined;

/** What a caller passes. */
export type CallArgs<E extends Endpoint> = {
  [K in 'params' | 'query' | 'body' as E[K] extends Schema ? K : never]: InputOf<E[K]>;
};

/** What a handler receives, parsed. */
export type Parsed<E extends Endpoint> = {
  params: OutputOf<E['params']>;
  query: OutputOf<E['query']>;
  body: OutputOf<E['body']>;
};

/** What a handler returns and a caller gets. */
export type Reply<E extends Endpoint> = z.output<E['reply']>;
