import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Problem } from '../../contract/shapes.ts';
import { AppError, type ErrorCode } from '../../domain/errors.ts';
import { holdsUnkeepable, unkeepableText } from '../../domain/plain-text.ts';
import { isOutdatedPlan } from '../db/postgres/kept-plans.ts';
import { pictureTypes } from './draw-picture.ts';

/** What is said of a broken uniqueness, by the name of the constraint, and the field it is said at. */
const conflicts: Record<string, { sentence: string; field?: string }> = {
  vending_machines_machine_id_key: {
    sentence: 'Another machine has this Machine ID. Machine IDs are unique.',
    field: 'machineId',
  },
  vending_machines_integration_id_key: {
    sentence: 'Another machine has this Integration ID.',
    field: 'integrationId',
  },
  markets_integration_id_key: { sentence: 'Another market has this Integration ID.', field: 'integrationId' },
  machine_slots_position: {
    sentence: 'This machine already has a product in this slot. Choose another slot number.',
    field: 'slotNumber',
  },
  product_barcodes_pkey: { sentence: 'This barcode belongs to another product.' },
  product_barcodes_code: { sentence: 'This barcode belongs to another product.' },
  users_email_key: { sentence: 'A person with this e-mail address exists already.', field: 'email' },
  users_phone_key: { sentence: 'A person with this phone number exists already.', field: 'phoneNumber' },
};

const unreadable = 'The body is not valid JSON.';
const noJson = new AppError('invalid-input', unreadable, { fields: { body: unreadable } });

const parserCodes: Record<string, AppError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError('unsupported-media', 'Send the body as application/json.'),
  FST_ERR_CTP_INVALID_JSON_BODY: noJson,
  FST_ERR_CTP_BODY_TOO_LARGE: new AppError('too-large', 'The body is too large: at most 1 MB.'),
  FST_ERR_MAX_PARAM_LENGTH: new AppError(
    'not-found',
    'There is nothing at this address: a part of it is longer than any id or name here.',
  ),
};

const problemType = 'application/problem+json; charset=utf-8';

/** The only code that writes an error response: an RFC 9457 problem document whose `detail` is the sentence shown. */
export function replyWithError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const refusal = refusalOf(error, request);
  if (refusal.retryAfterSeconds !== undefined)
    reply.header('retry-after', Math.max(1, Math.ceil(refusal.retryAfterSeconds)));
  const problem: Problem = {
    type: `about:blank#${refusal.code}`,
    title: STATUS_CODES[refusal.status] ?? 'Error',
    status: refusal.status,
    detail: refusal.message,
    code: refusal.code,
    requestId: String(request.id),
    ...(refusal.fields ? { fields: refusal.fields } : {}),
  };
  return reply.status(refusal.status).type(problemType).send(JSON.stringify(problem));
}

/** What Node could not read as a call, so that there is nobody to reply to but the connection, and what is said of it. */
const unreadableCalls: Record<string, { status: number; code: ErrorCode; detail: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'invalid-input', detail: 'The call did not come to its end in time.' },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'too-large',
    detail: `The address and the headers are too large: at most ${maxHeaderSize / 1024} kB in all.`,
  },
  HPE_INVALID_METHOD: { status: 400, code: 'invalid-input', detail: 'There is no such HTTP method.' },
};
const unreadableCall = { status: 400, code: 'invalid-input', detail: 'This is no call that can be read as HTTP.' };

/** Answers on the connection itself, and ends it: where the next call would begin on it is not known. */
export function replyToUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const { status, code, detail } = unreadableCalls[error.code ?? ''] ?? unreadableCall;
  const title = STATUS_CODES[status] ?? 'Error';
  const problem: Problem = { type: `about:blank#${code}`, title, status, detail, code };
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    `content-type: ${problemType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy(error);
}

/** What is said of an error; one that nobody foresaw is logged. */
export function refusalOf(error: unknown, request: FastifyRequest): AppError {
  const known = toAppError(error);
  if (known === tooLargeNumber) return atLargeNumbers(known, request);
  if (known?.code === 'unsupported-media') return withTakenTypes(known, request);
  if (known) return known.message === unkeepableText ? atItsFields(known, request) : known;
  request.log.error({ err: error }, 'request failed');
  const sentence = `Something went wrong on our side. Try again; if it stays, report number ${request.id}.`;
  return new AppError('internal', sentence);
}

/** Calls that take bytes would refuse JSON just so: what they take is said instead. */
function withTakenTypes(refusal: AppError, { server }: FastifyRequest): AppError {
  const taken = ['application/octet-stream', ...pictureTypes].filter((type) => server.hasContentTypeParser(type));
  return taken.length === 0 ? refusal : new AppError(refusal.code, `Send the bytes as ${taken.join(' or ')}.`);
}

/** Says where the text was typed that the database did not keep. */
function atItsFields(refusal: AppError, { query, body }: FastifyRequest): AppError {
  if (refusal.fields) return refusal;
  const names = [query, body].flatMap((sent) =>
    typeof sent === 'object' && sent !== null
      ? Object.keys(sent).filter((name) => holdsUnkeepable(Object(sent)[name]))
      : [],
  );
  const fields = Object.fromEntries(names.map((name) => [name, refusal.message]));
  return names.length === 0 ? refusal : new AppError(refusal.code, refusal.message, { fields });
}

/** The largest number of a whole-number column. */
const largest = 2_147_483_647;
const tooLargeNumber = new AppError('invalid-input', 'A number is too large.');

/** Names the numbers that the database has no room for: which of those sent it was, it does not say itself. */
function atLargeNumbers(refusal: AppError, { body, query }: FastifyRequest): AppError {
  // An address has its numbers as digits too; in a body digits are text, as of a barcode.
  const digits = /^-?\d{10,16}$/;
  const asked = largeNumbersIn(query, (value) => typeof value === 'string' && digits.test(value));
  const sent = largeNumbersIn(body, (value) => typeof value === 'number');
  const names = [...asked, ...sent].slice(0, 5);
  const [first] = names;
  if (first === undefined) return refusal;
  const sentence = `must be at most ${largest}`;
  const fields = Object.fromEntries(names.map((name) => [name, sentence]));
  return new AppError(refusal.code, `${first} ${sentence}.`, { fields });
}

function largeNumbersIn(sent: unknown, isNumber: (value: unknown) => boolean, name = ''): string[] {
  if (typeof sent === 'object' && sent !== null) {
    return Object.entries(sent).flatMap(([key, value]) =>
      largeNumbersIn(value, isNumber, name ? `${name}.${key}` : key),
    );
  }
  return isNumber(sent) && Math.abs(Number(sent)) > largest ? [name] : [];
}

/** Nobody's mistake: the same call is welcome again in a moment. */
export const isPassing = (error: unknown): boolean => toAppError(error)?.code === 'unavailable';

function toAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return null;
  const parser = 'code' in error && typeof error.code === 'string' ? parserCodes[error.code] : undefined;
  if (parser) return parser;
  if (error instanceof SyntaxError && 'statusCode' in error && error.statusCode === 400) {
    return noJson;
  }
  return fromDatabase(error) ?? clientFault(error);
}

/** A malformed request that Fastify itself refused, e.g. a path that does not decode. */
function clientFault(error: Error): AppError | null {
  const status = 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? new AppError('invalid-input', 'The request could not be read.') : null;
}

const unavailableCodes = new Set([
  '57P01', // ended by an administrator
  '57P02', // another process of the database crashed
  '57P03', // starting up or shutting down
  '57014', // a statement took too long
  '53300', // too many connections
  '53100', // disk full
  '55000', // connections to this database are not allowed now
  '08P01', // the pooler in between lost its server
  '58000',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
]);
/** What the driver itself says of a lost or busy connection; these errors have no code. */
const unavailableMessages = /timeout exceeded when trying to connect|Connection terminated|Client has encountered a/;

function fromDatabase(error: Error): AppError | null {
  const source = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in source && typeof source.code === 'string' ? source.code : '';
  if (code === '23505') {
    const constraint = 'constraint' in source ? String(source.constraint) : '';
    const { sentence, field } = conflicts[constraint] ?? { sentence: 'This exists already.' };
    return new AppError('conflict', sentence, field ? { fields: { [field]: sentence } } : {});
  }
  if (code === '22003') return tooLargeNumber;
  // Offsets from UTC of sixteen hours and more are no zone's.
  if (code === '22009') return new AppError('invalid-input', 'A time has an offset from UTC that there is not.');
  if (code === '22008') return new AppError('invalid-input', 'A date or time lies too far away.');
  // JSON is only written by ourselves: what is wrong with it is half a character in a text.
  const isHalf = code === '22P02' && source.message.endsWith('type json');
  if (code === '22P05' || code === '22021' || isHalf) return new AppError('invalid-input', unkeepableText);
  if (code === '40P01' || code === '40001') {
    return new AppError('unavailable', 'Somebody changed the same thing at the same moment. Try again.', {
      retryAfterSeconds: 1,
    });
  }
  if (isOutdatedPlan(source)) {
    return new AppError('unavailable', 'The database is being upgraded. Try again in a moment.', {
      retryAfterSeconds: 1,
    });
  }
  if (code === '25006') {
    return new AppError('unavailable', 'The database takes no changes at the moment. Try again in a moment.', {
      retryAfterSeconds: 2,
    });
  }
  if (unavailableCodes.has(code) || unavailableMessages.test(source.message)) {
    return new AppError('unavailable', 'The database does not answer. Try again in a moment.', {
      retryAfterSeconds: 2,
    });
  }
  return null;
}
