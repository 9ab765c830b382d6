/** The closed list of refusals. The HTTP status follows from the code, in this one table. */
export const errorStatus = {
  'invalid-input': 400,
  'not-signed-in': 401,
  'not-allowed': 403,
  'sign-in-again': 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'unsupported-media': 415,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
  'no-room': 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export type FieldErrors = Record<string, string>;

type Extra = {
  fields?: FieldErrors | undefined;
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
  /** What failed is not this server: a partner's system, say, that does not answer. */
  elsewhere?: boolean;
};

/**
 * A refusal whose message is always safe to show to the person who caused it.
 * `fields` names the offending inputs (dotted paths) with a sentence each.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly elsewhere: boolean;

  constructor(code: ErrorCode, message: string, extra: Extra = {}) {
    super(message, { cause: extra.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = extra.fields;
    this.retryAfterSeconds = extra.retryAfterSeconds;
    this.elsewhere = extra.elsewhere ?? false;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** What stands on a route: whether it is another's is not told to whoever may not see it. */
const onRoutes = new Set([
  'market',
  'machine',
  'location',
  'slot',
  'inventory item',
  'alert',
  'DEX file',
  'photo',
  'route',
  'stop',
]);

/** The one sentence for an object that does not exist or lies outside the person's scope. */
export function notFound(noun: string): AppError {
  const elsewhere = onRoutes.has(noun) ? ', or is not on your route' : '';
  return new AppError('not-found', `This ${noun} does not exist${elsewhere}.`);
}
