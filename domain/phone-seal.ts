/**
 * How a phone seals what a signed-out person left on it. The phone makes a key pair for one sign-out and agrees on a key
 * with the server's public key (ECDH on P-256, HKDF-SHA-256); its own private half is forgotten at once, so that only the
 * server can find the key again: to book what is delivered, and to hand it to the very person it was made for. Records
 * are sealed with AES-256-GCM, each bound to where it stands. In bytes: nonce, tag, text.
 */

/** Which key of the server, whose work, and the public half that the phone made: all that is needed to find the key again. */
export type SealKeyName = { keyId: string; userId: number; point: string };

export const nonceBytes = 12;
export const tagBytes = 16;

const format = /^p1\.([0-9a-f]{1,32})\.([1-9]\d{0,9})\.([A-Za-z0-9_-]{80,100})$/;

/** As it stands with what is sealed: `p1.KEY.PERSON.POINT`. */
export function sealKeyText({ keyId, userId, point }: SealKeyName): string {
  return ['p1', keyId, userId, point].join('.');
}

/** Reads it back; null for what was not written so. */
export function sealKeyName(text: string): SealKeyName | null {
  const [, keyId, userId, point] = format.exec(text) ?? [];
  return keyId && userId && point ? { keyId, userId: Number(userId), point } : null;
}

/** What the key is derived for: it holds the person, so that another name never leads to the same key. */
export const sealKeyPurpose = (name: string): string => `milkrun phone seal ${name}`;

/** What a record is bound to. */
export const boundTo = (kind: 'event' | 'visit' | 'photo', id: string): string => `${kind}:${id}`;

/** An event as a phone delivers it for somebody who has signed out. */
export type SealedEvent = { eventId: string; sealedWith: string; sealed: string };

/** Whether an event came sealed: then the server opens it before it reads anything but its id. */
export function isSealedEvent(event: { eventId: string }): event is SealedEvent {
  return 'sealed' in event && typeof event.sealed === 'string' && 'sealedWith' in event
    ? typeof event.sealedWith === 'string'
    : false;
}
