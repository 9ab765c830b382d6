import { generateKeyPairSync, sign } from 'node:crypto';

/** DER: a tag, the length, the content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...sizeOf(content.length)]), content]);
}

function sizeOf(length: number): number[] {
  if (length < 128) return [length];
  return length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const ecdsaWithSha256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const time = (year: number): Buffer => der(0x18, Buffer.from(`${year}0101000000Z`));

/** A self-signed certificate for a name, made on the spot so that no key lies in the repository. */
export function selfSigned(name: string): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const commonName = sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(name)));
  const subject = sequence(der(0x31, commonName));
  const body = sequence(
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    subject,
    sequence(time(2020), time(2120)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const text = sequence(body, ecdsaWithSha256, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${text.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
