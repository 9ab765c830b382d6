import { useEffect, useRef, useState } from 'react';
import { openBarcodeReader } from './barcode-reader.ts';
import { TapButton } from './tap-button.tsx';

/** Looks at a frame this often: quick to the hand, gentle to the battery. */
const lookEveryMs = 150;

type CameraScanProps = { onCode: (code: string) => void; onClose: () => void };

/** The camera, until it has read a barcode or is closed. */
export function CameraScan({ onCode, onClose }: CameraScanProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const found = useRef(onCode);
  found.current = onCode;
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const ended = new AbortController();
    watch(element, ended.signal).then(
      (code) => code !== null && found.current(code),
      (error: unknown) => setProblem(sentenceFor(error)),
    );
    return () => ended.abort();
  }, []);
  return (
    <div className="relative overflow-hidden rounded bg-black">
      <video ref={video} muted playsInline className="h-56 w-full object-cover" aria-label="Camera picture" />
      <div className="pointer-events-none absolute inset-x-12 inset-y-10 rounded border-2 border-white/80" />
      <div className="absolute top-1 right-1 rounded bg-ground">
        <TapButton icon="close" label="Close the camera" onClick={onClose} />
      </div>
      {problem && (
        <p role="alert" className="bg-ground px-2 pt-2 text-14 text-bad-text">
          {problem}
        </p>
      )}
    </div>
  );
}

function sentenceFor(error: unknown): string {
  if (error instanceof DOMException && error.name === 'NotAllowedError') {
    return 'The camera may not be used here. Allow it in the browser, or type the barcode.';
  }
  return 'No camera could be opened. Type the barcode, or use a hand scanner.';
}

/** Shows the camera and resolves with the first barcode; null when it was closed before. */
async function watch(video: HTMLVideoElement, ended: AbortSignal): Promise<string | null> {
  if (!navigator.mediaDevices) throw new Error('This page has no camera: it needs https');
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  ended.addEventListener('abort', stop);
  try {
    video.srcObject = stream;
    await video.play();
    const read = await openBarcodeReader();
    while (!ended.aborted) {
      const code = await read(video);
      if (code) return code;
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
    return null;
  } finally {
    stop();
  }
}
