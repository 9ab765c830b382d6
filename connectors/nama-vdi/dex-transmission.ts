import type { VendorDexRead } from '../../domain/integration.ts';
import type { Reading } from './sales.ts';
import { readInstant } from './time.ts';
import { child, descendants, type XmlNode } from './xml.ts';

/** Text of a DEX file as bytes, one a character; XML turned CRLF into LF and the checksum is over CRLF. */
export function restoreDex(text: string): Uint8Array {
  const lines = text.replace(/^\s+/, '').replaceAll(/\r\n|\n|\r/g, '\r\n');
  return Uint8Array.from(lines, (char) => {
    const code = char.charCodeAt(0);
    return code <= 0xff ? code : 0x3f;
  });
}

/** `-05:00`, `-5`, `-0500` or minutes, as the offset of an instant. */
function offsetOf(told: string | undefined): string {
  const hours = /^\s*([+-]?)(\d{1,2})(?::?(\d{2}))?\s*$/.exec(told ?? '');
  if (!hours) return '';
  const [, sign, hour = '0', minute = '00'] = hours;
  return Number(hour) > 14 ? '' : `${sign === '-' ? '-' : '+'}${hour.padStart(2, '0')}:${minute}`;
}

function readTime(node: XmlNode, transmission: XmlNode, timeZone: string): Date | null {
  const told = node.attributes.ReadDateTime ?? transmission.attributes.TransmitTime;
  const offset = offsetOf(node.attributes.GMTOffSet ?? transmission.attributes.GMTOffSet);
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})\s*$/i.test((told ?? '').replace(/^\d{4}-\d{2}-\d{2}/, ''));
  return readInstant(hasOffset || offset === '' ? told : `${told?.trim()}${offset}`, timeZone);
}

/** S2S-DEX: files of vending machines wrapped in XML; a read that failed at the carrier carries none. */
export function readDexTransmissions(root: XmlNode, reading: Reading): VendorDexRead[] {
  return descendants(root, 'DexTransmission').flatMap((transmission) => {
    const device = transmission.attributes.DeviceID ?? null;
    return descendants(transmission, 'DEX').flatMap((node) => {
      const { ResponseCode: code = 'OK' } = node.attributes;
      const file = child(node, 'RawDEX')?.text ?? '';
      if (code.toUpperCase() !== 'OK' || file.trim() === '') {
        reading.refuse(`The carrier could not read the machine: ${code.slice(0, 80)}`, device ?? '', node.attributes);
        return [];
      }
      const readAt = readTime(node, transmission, reading.timeZone);
      return [{ deviceId: device, serialNumber: null, bytes: restoreDex(file), readAt }];
    });
  });
}
