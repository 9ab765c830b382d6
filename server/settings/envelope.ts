import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Bytes of every key here. */
export const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const version = 'v1';

/** A sealed value that is damaged, stands in another row, or was sealed with a key that is not here. */
export class SealError extends Error {}

/** AES-256-GCM with a fresh nonce: nonce, tag and ciphertext in base64url. `bound` must be the same again to open it. */
export function encrypt(key: Buffer, plain: Buffer, bound: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(bound));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/** What was encrypted; throws `SealError` when key, text or binding are not those of the encryption. */
export function decrypt(key: Buffer, packed: string, bound: string): Buffer {
  const bytes = Buffer.from(packed, 'base64url');
  if (bytes.length < ivBytes + tagBytes) throw new SealError('This sealed value is damaged.');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
  } catch (error) {
    throw new SealError('This sealed value is damaged, or belongs to another row.', { cause: error });
  }
}

/** A wrapping key by its name. */
export type NamedKey = { id: string; key: Buffer };

/** `v1.<key id>.<wrapped data key>.<text>`: a data key of its own for every value, wrapped by the named key. */
export function sealText({ id, key }: NamedKey, bound: string, text: string): string {
  const dataKey = randomBytes(keyBytes);
  return [version, id, encrypt(key, dataKey, `${bound}\0${id}`), encrypt(dataKey, Buffer.from(text), bound)].join('.');
}

/** The id of the key that wraps a sealed value. */
export function keyIdOf(sealed: string): string {
  return partsOf(sealed).id;
}

function partsOf(sealed: string) {
  const [found, id, wrapped, text, ...more] = sealed.split('.');
  if (found !== version || !id || !wrapped || text === undefined || more.length > 0) {
    throw new SealError('This is not a sealed value.');
  }
  return { id, wrapped, text };
}

/** The text of a sealed value. */
export function openText(key: Buffer, bound: string, sealed: string): string {
  const { id, wrapped, text } = partsOf(sealed);
  return decrypt(decrypt(key, wrapped, `${bound}\0${id}`), text, bound).toString();
}

/** The same value with its data key wrapped by another key; the text itself is not touched. */
export function rewrap(old: Buffer, next: NamedKey, bound: string, sealed: string): string {
  const { id, wrapped, text } = partsOf(sealed);
  const dataKey = decrypt(old, wrapped, `${bound}\0${id}`);
  return [version, next.id, encrypt(next.key, dataKey, `${bound}\0${next.id}`), text].join('.');
}
