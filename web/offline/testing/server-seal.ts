import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto';
import {
  boundTo,
  isSealedEvent,
  nonceBytes,
  sealKeyName,
  sealKeyPurpose,
  tagBytes,
} from '../../../domain/phone-seal.ts';

/** The server's half of sealing, by another library than the phone's. */

const pair = createECDH('prime256v1');
pair.generateKeys();

export const testServerKey = { id: 'abcdef012345', publicKey: pair.getPublicKey('base64url') };

export function sealKeyOf(name: string): Buffer {
  const shared = pair.computeSecret(sealKeyName(name)?.point ?? '', 'base64url');
  return Buffer.from(hkdfSync('sha256', shared, '', sealKeyPurpose(name), 32));
}

/** A sealed event as it was made; every other one as it is. */
export function openedEvent<T extends { eventId: string }>(event: T): T {
  if (!isSealedEvent(event)) return event;
  const bytes = Buffer.from(event.sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', sealKeyOf(event.sealedWith), bytes.subarray(0, nonceBytes));
  decipher.setAAD(Buffer.from(boundTo('event', event.eventId)));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const plain = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
  return JSON.parse(plain.toString()).event;
}
