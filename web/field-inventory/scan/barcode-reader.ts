import { takenOver } from '../../http/taken-over.ts';

/** Reads barcodes from a picture: by the browser itself where it can, else by a reader loaded at first use. */
export type BarcodeReader = (picture: HTMLVideoElement) => Promise<string | null>;

const nativeFormats = ['ean_13', 'ean_8', 'upc_a', 'upc_e', 'code_128', 'code_39', 'itf', 'qr_code'];

const wasmFormats = ['EAN13', 'EAN8', 'UPCA', 'UPCE', 'Code128', 'Code39', 'ITF', 'QRCode'] as const;

type Detected = { rawValue: string };
type NativeDetector = { detect(source: HTMLVideoElement): Promise<Detected[]> };
type NativeDetectorClass = {
  new (options: { formats: string[] }): NativeDetector;
  getSupportedFormats(): Promise<string[]>;
};

/** Not in the DOM types: Chromium on Android, ChromeOS and macOS has it. */
function nativeClass(): NativeDetectorClass | null {
  const scope: typeof globalThis & { BarcodeDetector?: NativeDetectorClass } = globalThis;
  return scope.BarcodeDetector ?? null;
}

export async function openBarcodeReader(): Promise<BarcodeReader> {
  const Native = nativeClass();
  const supported = (await Native?.getSupportedFormats().catch(() => [])) ?? [];
  const formats = nativeFormats.filter((format) => supported.includes(format));
  if (!Native || formats.length === 0) return openWasmReader();
  const detector = new Native({ formats });
  return async (video) => (await detector.detect(video))[0]?.rawValue ?? null;
}

/** Has the service worker keep the reader before the first basement, where the browser has none of its own. */
export async function warmBarcodeReader(): Promise<void> {
  if (nativeClass() || !('serviceWorker' in navigator)) return;
  await takenOver(navigator.serviceWorker);
  const { default: wasmUrl } = await import('zxing-wasm/reader/zxing_reader.wasm?url');
  await Promise.all([import('zxing-wasm/reader'), fetch(wasmUrl)]);
}

/** Reader of about 430 kB, fetched once and then from the cache; it runs without a network after that. */
async function openWasmReader(): Promise<BarcodeReader> {
  const [{ prepareZXingModule, readBarcodes }, { default: wasmUrl }] = await Promise.all([
    import('zxing-wasm/reader'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  await prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true });
  const canvas = document.createElement('canvas');
  return async (video) => {
    const image = frameOf(video, canvas);
    if (!image) return null;
    const found = await readBarcodes(image, { formats: [...wasmFormats] });
    return found.find((one) => one.isValid)?.text ?? null;
  };
}

function frameOf(video: HTMLVideoElement, canvas: HTMLCanvasElement): ImageData | null {
  if (video.videoWidth === 0) return null;
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context?.drawImage(video, 0, 0);
  return context?.getImageData(0, 0, canvas.width, canvas.height) ?? null;
}
