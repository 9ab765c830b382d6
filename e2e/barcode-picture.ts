import { writeFileSync } from 'node:fs';

/** A still picture of an EAN-13 for the camera that Chromium can be given: drawn here, so that no file is kept for it. */

const width = 640;
const height = 480;
const moduleWidth = 4;
const white = 235;
const black = 16;

/** Bars of the digits by set, as the code's own standard (ISO/IEC 15420) lists them. */
const odd = '0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011'.split(' ');
const right = odd.map((bars) => [...bars].map((bar) => (bar === '1' ? '0' : '1')).join(''));
const even = right.map((bars) => [...bars].reverse().join(''));
const parities = 'OOOOOO OOEOEE OOEEOE OOEEEO OEOOEE OEEOOE OEEEOO OEOEOE OEOEEO OEEOEO'.split(' ');

function barsOf(code: string): string {
  const digits = [...code].map(Number);
  const [first = 0, ...rest] = digits;
  const parity = parities[first] ?? '';
  const leftHalf = rest.slice(0, 6).map((digit, i) => (parity[i] === 'O' ? odd : even)[digit]);
  const rightHalf = rest.slice(6).map((digit) => right[digit]);
  return ['101', ...leftHalf, '01010', ...rightHalf, '101'].join('');
}

/** Writes the picture as the raw video file that `--use-file-for-fake-video-capture` takes. */
export function writeBarcodeVideo(file: string, code: string): void {
  const bars = barsOf(code.padStart(13, '0'));
  const start = Math.floor((width - bars.length * moduleWidth) / 2);
  const light = Buffer.alloc(width * height, white);
  for (let row = height / 4; row < (height * 3) / 4; row++) {
    for (const [i, bar] of [...bars].entries()) {
      const from = row * width + start + i * moduleWidth;
      if (bar === '1') light.fill(black, from, from + moduleWidth);
    }
  }
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, Buffer.alloc((width * height) / 2, 128)]);
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420mpeg2\n`);
  writeFileSync(file, Buffer.concat([head, frame, frame]));
}
