import { useEffect, useRef, useState } from 'react';
import { TapButton } from '../quantity/tap-button.tsx';
import { openBarcodeReader } from './barcode-reader.ts';

/** Looks at a frame this often: quick to the hand, gentle to the battery. */
const lookEveryMs = 150;

type CameraScanProps = { onCode: (code: string) => void; onClose: () => void };

/** The camera, reading one barcode after the other until it is closed. A code in sight is told at every look. */
export function CameraScan({ onCode, onClose }: CameraScanProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [track, setTrack] = useState<MediaStreamTrack | null>(null);
  const found = useRef(onCode);
  found.current = onCode;
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const ended = new AbortController();
    const told = { onCode: (code: string) => found.current(code), onTrack: setTrack };
    watch(element, told, ended.signal).catch((error: unknown) => setProblem(sentenceFor(error)));
    return () => ended.abort();
  }, []);
  return (
    <div className="relative overflow-hidden rounded bg-black">
      <video ref={video} muted playsInline className="h-56 w-full object-cover" aria-label="Camera picture" />
      <div className="pointer-events-none absolute inset-x-12 inset-y-10 rounded border-2 border-white/80 outline outline-black/60" />
      <div className="absolute top-1 right-1 flex rounded bg-ground">
        {track && hasTorch(track) && <Torch track={track} />}
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

/** Not in the DOM types: phones with a light have it. */
type TorchCapabilities = MediaTrackCapabilities & { torch?: boolean };

function hasTorch(track: MediaStreamTrack): boolean {
  const can: TorchCapabilities = track.getCapabilities?.() ?? {};
  return can.torch === true;
}

/** The light of the phone, for a basement. */
function Torch({ track }: { track: MediaStreamTrack }) {
  const [isOn, setIsOn] = useState(false);
  const turn = async () => {
    const light: MediaTrackConstraintSet & { torch: boolean } = { torch: !isOn };
    await track.applyConstraints({ advanced: [light] });
    setIsOn(!isOn);
  };
  return (
    <TapButton
      icon="sun"
      label={isOn ? 'Turn the light off' : 'Turn the light on'}
      isPressed={isOn}
      onClick={() => void turn().catch(() => undefined)}
    />
  );
}

type Told = { onCode: (code: string) => void; onTrack: (track: MediaStreamTrack | null) => void };

/** Shows the camera and tells every code it sees until it is ended. */
async function watch(video: HTMLVideoElement, { onCode, onTrack }: Told, ended: AbortSignal): Promise<void> {
  if (!navigator.mediaDevices) throw new Error('This page has no camera: it needs https');
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  ended.addEventListener('abort', stop);
  try {
    // Closed while the browser asked for leave.
    if (ended.aborted) return;
    video.srcObject = stream;
    await video.play();
    onTrack(stream.getVideoTracks()[0] ?? null);
    const read = await openBarcodeReader();
    while (!ended.aborted) {
      const code = await read(video);
      if (code && !ended.aborted) onCode(code);
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  } finally {
    stop();
  }
}
