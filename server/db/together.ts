type Answers<T extends readonly Promise<unknown>[]> = { -readonly [K in keyof T]: Awaited<T[K]> };

/**
 * Waits for statements of one transaction that were sent without waiting for each other's answers (decision 027). The database does them in
 * the order they were sent. All have ended when this ends, the failed ones too: a statement that followed later would go to a
 * connection that is somebody else's by then.
 */
export async function together<const T extends readonly Promise<unknown>[]>(sent: T): Promise<Answers<T>> {
  const ended = await Promise.allSettled(sent);
  if (sent.some((one) => !(one instanceof Promise))) throw new Error('A statement was not sent at once.');
  const failures = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0) throw failures.find((failure) => !onlyFollows(failure)) ?? failures[0];
  return ended.map((one) => (one.status === 'fulfilled' ? one.value : undefined)) as Answers<T>;
}

/** Refused because another statement of its transaction had failed, which says why: it, or what would have given it a name. */
const follows: readonly unknown[] = ['25P02', '26000'];

function onlyFollows(failure: unknown): boolean {
  const source = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
  return source instanceof Error && 'code' in source && follows.includes(source.code);
}
