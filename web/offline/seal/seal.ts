import { nonceBytes, type SealKeyName, sealKeyPurpose, sealKeyText, tagBytes } from '../../../domain/phone-seal.ts';

/** What WebCrypto does of `domain/phone-seal.ts`. It exists on secure pages only. */

/** What a phone needs of the server to seal: it is in the session, so that sealing works without a network. */
export type ServerKey = { id: string; publicKey: string };

export type Sealer = {
  /** What the server finds the key by. */
  name: string;
  seal: (bound: string, plain: Bytes) => Promise<Bytes>;
};

export type Bytes = Uint8Array<ArrayBuffer>;

const tagBits = tagBytes * 8;
const curve = { name: 'ECDH', namedCurve: 'P-256' };

/** False on a plain-http address of a local network, where browsers have no cryptography. */
export const canSeal = (): boolean => globalThis.crypto?.subtle !== undefined;

/** A key for one person and one sign-out. Nobody on this phone can make it again. */
export async function createSealer(server: ServerKey, userId: number): Promise<Sealer> {
  const { subtle } = crypto;
  const [own, theirs] = await Promise.all([
    subtle.generateKey(curve, false, ['deriveBits']),
    subtle.importKey('raw', fromText(server.publicKey), curve, false, []),
  ]);
  const point = toText(new Uint8Array(await subtle.exportKey('raw', own.publicKey)));
  const parts: SealKeyName = { keyId: server.id, userId, point };
  const name = sealKeyText(parts);
  const shared = await subtle.deriveBits({ name: 'ECDH', public: theirs }, own.privateKey, 256);
  const base = await subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey']);
  const key = await subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encode(sealKeyPurpose(name)) },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt'],
  );
  return { name, seal: (bound, plain) => encrypt(key, bound, plain) };
}

async function encrypt(key: CryptoKey, bound: string, plain: Bytes): Promise<Bytes> {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes));
  const how = { name: 'AES-GCM', iv: nonce, additionalData: encode(bound), tagLength: tagBits };
  const made = new Uint8Array(await crypto.subtle.encrypt(how, key, plain));
  const packed = new Uint8Array(nonceBytes + made.length);
  packed.set(nonce);
  packed.set(made.subarray(made.length - tagBytes), nonceBytes);
  packed.set(made.subarray(0, made.length - tagBytes), nonceBytes + tagBytes);
  return packed;
}

export type Opener = (bound: string, packed: Bytes) => Promise<Bytes | null>;

/** Opens with a key the server handed out. Null for what was sealed with another, or is damaged. */
export async function createOpener(keyText: string): Promise<Opener> {
  const key = await crypto.subtle.importKey('raw', fromText(keyText), 'AES-GCM', false, ['decrypt']);
  return async (bound, packed) => {
    const how = {
      name: 'AES-GCM',
      iv: packed.slice(0, nonceBytes),
      additionalData: encode(bound),
      tagLength: tagBits,
    };
    const body = new Uint8Array(packed.length - nonceBytes);
    body.set(packed.subarray(nonceBytes + tagBytes));
    body.set(packed.subarray(nonceBytes, nonceBytes + tagBytes), body.length - tagBytes);
    return crypto.subtle.decrypt(how, key, body).then(
      (plain) => new Uint8Array(plain),
      () => null,
    );
  };
}

export const encode = (text: string): Bytes => new TextEncoder().encode(text);
export const decode = (bytes: Bytes): string => new TextDecoder().decode(bytes);

/** base64url, in pieces: a call takes only so many arguments. */
export function toText(bytes: Bytes): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export function fromText(text: string): Bytes {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
