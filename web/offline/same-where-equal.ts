/**
 * The new value with every part that is equal to the old one replaced by the old one: what did not change keeps its
 * identity. For plain values as the database and the wire have them. Lists are compared by place.
 */
export function sameWhereEqual<T>(before: unknown, after: T): T {
  if (Object.is(before, after)) return after;
  if (Array.isArray(before) && Array.isArray(after)) {
    const parts = after.map((part: unknown, i) => sameWhereEqual(before[i], part));
    const isSame = parts.length === before.length && parts.every((part, i) => Object.is(part, before[i]));
    // Same shape as `after`: each part was only exchanged for an equal one.
    return (isSame ? before : parts) as T;
  }
  if (!isPlain(before) || !isPlain(after)) return after;
  const keys = Object.keys(after);
  const parts = keys.map((key) => [key, sameWhereEqual(before[key], after[key])] as const);
  const isSame =
    keys.length === Object.keys(before).length && parts.every(([key, part]) => Object.is(part, before[key]));
  return (isSame ? before : Object.fromEntries(parts)) as T;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
