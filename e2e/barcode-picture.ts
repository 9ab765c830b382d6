import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, type WriterOptions, writeBarcode } from 'zxing-wasm/writer';

/** Pictures of barcodes for the camera that Chromium can be given: drawn here, so that no file is kept for them. */

const width = 640;
const height = 480;
const white = 235;
const black = 16;
/** Each picture is held still for a second: the phone looks at the camera several times in it. */
const framesEach = 2;

export type DrawnCode = { text: string; format: NonNullable<WriterOptions['format']> };

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/writer/zxing_writer.wasm');
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });

/** One frame, the code as large as it fits between a white margin. */
async function frameOf({ text, format }: DrawnCode): Promise<Buffer> {
  const { symbol, error } = await writeBarcode(text, { format, scale: 1 });
  if (error) throw new Error(`${format} ${text}: ${error}`);
  const scale = Math.floor(Math.min((width * 0.8) / symbol.width, (height * 0.8) / symbol.height));
  const left = Math.floor((width - symbol.width * scale) / 2);
  const top = Math.floor((height - symbol.height * scale) / 2);
  const light = Buffer.alloc(width * height, white);
  for (let y = 0; y < symbol.height * scale; y++) {
    for (let x = 0; x < symbol.width * scale; x++) {
      const dot = symbol.data[Math.floor(y / scale) * symbol.width + Math.floor(x / scale)] ?? 255;
      if (dot < 128) light[(top + y) * width + left + x] = black;
    }
  }
  return Buffer.concat([Buffer.from('FRAME\n'), light, Buffer.alloc((width * height) / 2, 128)]);
}

/** Writes the codes, one after the other, as the raw video file that `--use-file-for-fake-video-capture` takes. */
export async function writeBarcodeVideo(file: string, codes: readonly DrawnCode[]): Promise<void> {
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F${framesEach}:1 Ip A1:1 C420mpeg2\n`);
  const frames = await Promise.all(codes.map(frameOf));
  const held = frames.flatMap((frame) => Array.from({ length: framesEach }, () => frame));
  writeFileSync(file, Buffer.concat([head, ...held]));
}
