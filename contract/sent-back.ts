import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { secretState } from './shapes.ts';

type Schema = z.core.$ZodType;

/**
 * Whoever reads a record, changes a field and sends it back whole sends its read-only fields too. What the reply of an edit, or
 * the reading it names, carries and its body does not take is left out, also inside lists; a secret
 * that is only said to be set stays as it is. Any other name is still told as unknown, and so is a read-only one
 * where nothing else was sent: it would look changed and is not. A PATCH that must name something is a step, as the start of a
 * route is, and takes that alone.
 */
export function withoutReadOnly(endpoint: Endpoint, body: unknown): unknown {
  if (!isEdit(endpoint)) return body;
  const cut = readingsOf(endpoint).reduce((left, read) => cutObject(endpoint.body, read, left), body);
  return isRecord(cut) && Object.keys(cut).length === 0 ? body : cut;
}

/** The names that a body may carry though the call does not take them. */
export function readOnlyNames(endpoint: Endpoint): string[] {
  const takes = endpoint.body && objectOf(endpoint.body);
  if (!takes || !isEdit(endpoint)) return [];
  const carried = readingsOf(endpoint).flatMap((read) => Object.keys(objectOf(read)?.shape ?? {}));
  return [...new Set(carried)].filter((name) => !(name in takes.shape));
}

/**
 * Whether an edit names nothing to change, but perhaps the version it builds on: taken, it would make a new state of the record
 * without any difference.
 */
export function namesNoChange(endpoint: Endpoint, body: unknown): boolean {
  return isEdit(endpoint) && Object.keys(isRecord(body) ? body : {}).every((name) => name === 'version');
}

function isEdit({ method, body }: Endpoint): boolean {
  if (!body) return false;
  if (method === 'PUT') return true;
  return (
    method === 'PATCH' && Object.values(objectOf(body)?.shape ?? {}).every((field) => field instanceof z.ZodOptional)
  );
}

const readingsOf = ({ reply, readAs }: Endpoint): Schema[] => (readAs ? [reply, readAs] : [reply]);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function cut(takes: Schema | undefined, read: Schema | undefined, value: unknown): unknown {
  const [taken, carried] = [takes && bare(takes), read && bare(read)];
  if (!(taken instanceof z.ZodArray && carried instanceof z.ZodArray)) return cutObject(taken, carried, value);
  return Array.isArray(value) ? value.map((one) => cut(taken.element, carried.element, one)) : value;
}

function cutObject(takes: Schema | undefined, read: Schema | undefined, value: unknown): unknown {
  const taken = takes && objectOf(takes);
  const carried = read && objectOf(read);
  if (!taken || !carried || !isRecord(value)) return value;
  const kept = Object.entries(value).filter(([name, one]) => {
    if (!Object.hasOwn(carried.shape, name)) return true;
    return Object.hasOwn(taken.shape, name) && !isSecretAsRead(carried.shape[name], one);
  });
  return Object.fromEntries(kept.map(([name, one]) => [name, cut(taken.shape[name], carried.shape[name], one)]));
}

const isSecretAsRead = (read: Schema | undefined, value: unknown): boolean =>
  read === secretState && secretState.safeParse(value).success;

function objectOf(schema: Schema): z.ZodObject | undefined {
  const inner = bare(schema);
  return inner instanceof z.ZodObject ? inner : undefined;
}

/** Without what says that a value may be absent. */
function bare(schema: Schema): Schema {
  const wraps = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return wraps ? bare(schema.unwrap()) : schema;
}
