import { createHmac, timingSafeEqual } from 'node:crypto';
import type { World } from '../vendor.ts';

/**
 * Tokens carry what they are, signed, so that they outlive a restart of the sandbox. What is remembered beside them: the
 * newest generation of each connection, since a refresh token that was used stops working.
 */
type Token = { kind: 'access' | 'refresh'; session: string; generation: number; expiresMs: number };

export const expiresInSeconds = 86_400;

const key = 'sandbox tokens open nothing real';

const signatureOf = (text: string): string => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);

function write({ kind, session, generation, expiresMs }: Token): string {
  const text = `${kind}.${session}.${generation}.${expiresMs}`;
  return `${text}.${signatureOf(text)}`;
}

function read(text: string): Token | null {
  const [kind = '', session = '', generation = '', expiresMs = '', signature = ''] = text.split('.');
  const expected = Buffer.from(signatureOf(`${kind}.${session}.${generation}.${expiresMs}`));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  if (kind !== 'access' && kind !== 'refresh') return null;
  return { kind, session, generation: Number(generation), expiresMs: Number(expiresMs) };
}

export function issue(world: World, session: string, generation: number) {
  newest(world).set(session, generation);
  const expiresMs = world.now().getTime() + expiresInSeconds * 1_000;
  return {
    access_token: write({ kind: 'access', session, generation, expiresMs }),
    token_type: 'Bearer',
    expires: Math.floor(expiresMs / 1_000),
    expires_in: expiresInSeconds,
    refresh_token: write({ kind: 'refresh', session, generation, expiresMs: 0 }),
  };
}

/** The next pair, or null for a refresh token that is used, revoked or none. */
export function refresh(world: World, text: string) {
  const token = read(text);
  if (token?.kind !== 'refresh' || isRevoked(world, token)) return null;
  const current = newest(world).get(token.session) ?? token.generation;
  return token.generation === current ? issue(world, token.session, current + 1) : null;
}

export function isValid(world: World, authorization: string): boolean {
  const token = read(authorization.replace(/^Bearer /, ''));
  return token?.kind === 'access' && token.expiresMs > world.now().getTime() && !isRevoked(world, token);
}

function newest(world: World): Map<string, number> {
  const known = world.state.get('sessions');
  if (known instanceof Map) return known;
  const fresh = new Map<string, number>();
  world.state.set('sessions', fresh);
  return fresh;
}

/** The shop keeper ends every connection there is. */
export function revokeAll(world: World): void {
  world.state.set('revoked', new Set(newest(world).keys()));
}

function isRevoked(world: World, { session }: Token): boolean {
  const revoked = world.state.get('revoked');
  return revoked instanceof Set && (revoked.has(session) || !newest(world).has(session));
}
