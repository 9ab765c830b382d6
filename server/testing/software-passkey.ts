import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** CBOR as far as a passkey needs it: whole numbers, texts, bytes and maps. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, one]) => [cbor(key), cbor(one as number)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size]);
  if (size < 256) return Buffer.from([(major << 5) | 24, size]);
  return Buffer.from([(major << 5) | 25, size >> 8, size & 0xff]);
}

const sha = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

type Options = { challenge: string };

/** An authenticator in memory for tests: makes one passkey and signs with it as a browser would report it. */
export function softwarePasskey({ origin, host }: { origin: string; host: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let counter = 0;
  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  /** Flags: person present, person verified, and with a key: key data follow. */
  const authenticatorData = (flags: number, attested = Buffer.alloc(0)): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    return Buffer.concat([sha(host), Buffer.from([flags]), count, attested]);
  };
  const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
  const coseKey = (): Buffer =>
    cbor(new Map<number, unknown>([[1, 2], [3, -7], [-1, 1], [-2, bytes(x)], [-3, bytes(y)]])); // biome-ignore format: one key a pair
  const common = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  return {
    make: ({ challenge }: Options) => {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, 32]), credentialId, coseKey()]);
      const authData = authenticatorData(0x45, attested);
      const attestation = cbor(new Map<string, unknown>([['fmt', 'none'], ['attStmt', new Map()], ['authData', authData]])); // biome-ignore format: one pair a part
      return {
        ...common,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    sign: ({ challenge }: Options) => {
      const data = clientData('webauthn.get', challenge);
      const authData = authenticatorData(0x05);
      const signature = createSign('sha256')
        .update(Buffer.concat([authData, sha(data)]))
        .sign(privateKey);
      return {
        ...common,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}
