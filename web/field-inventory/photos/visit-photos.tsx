import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import type { Offline } from '../../offline/offline.ts';
import type { KeptPhoto } from '../../offline/outbox/records.ts';
import type { StoredKind } from '../../offline/outbox/signal.ts';
import { keepPhoto, listVisitPhotos } from '../../offline/photos/photos.ts';
import { useOffline, useStored } from '../../offline/use-offline.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { photoSentence, readPhoto } from './read-photo.ts';

/** A picture comes with its visit and is marked once it is sent. */
const withSent: readonly StoredKind[] = ['visits', 'outbox', 'download'];

type VisitPhotosProps = {
  userId: number;
  location: LocationRef;
  /** The camera, which a row of the stock opens as well. */
  camera: RefObject<HTMLInputElement | null>;
};

/** The photos of this visit, and two ways to one more: the phone's camera and its pictures. */
export function VisitPhotos({ userId, location, camera }: VisitPhotosProps) {
  const offline = useOffline();
  const pictures = useRef<HTMLInputElement>(null);
  const { type, id } = location;
  const photos = useStored(
    useCallback((from: Offline) => listVisitPhotos(from, userId, { type, id }), [userId, type, id]),
    withSent,
  );
  const take = async (file: File | undefined) => {
    if (!file) return;
    try {
      await keepPhoto(offline, { userId, location, blob: await readPhoto(file) });
    } catch (error) {
      toast({ title: 'Photo not kept', description: photoSentence(error), variant: 'destructive' });
    }
  };
  return (
    <section aria-label="Photos of this visit" className="px-4 py-2">
      <PhotoInput input={camera} label="Camera" isCamera onFile={(file) => void take(file)} />
      <PhotoInput
        input={pictures}
        label="Pictures of this device"
        isCamera={false}
        onFile={(file) => void take(file)}
      />
      <div className="grid grid-cols-2 gap-2">
        <Button size="field" icon="camera" onClick={() => camera.current?.click()}>
          Take a photo
        </Button>
        <Button size="field" onClick={() => pictures.current?.click()}>
          Pick a picture
        </Button>
      </div>
      {photos && photos.length > 0 && (
        <ul className="flex gap-2 overflow-x-auto pt-2">
          {photos.map((photo, i) => (
            <li key={photo.id} className="grid justify-items-center gap-1">
              <Thumbnail blob={photo.blob} label={`Photo ${i + 1}`} />
              <span className="text-12 text-text-2">{stateOf(photo)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type PhotoInputProps = {
  input: RefObject<HTMLInputElement | null>;
  label: string;
  isCamera: boolean;
  onFile: (file: File | undefined) => void;
};

/** Out of sight: a button opens it. With `capture` a phone shows its camera and nothing else, so picking has its own. */
function PhotoInput({ input, label, isCamera, onFile }: PhotoInputProps) {
  return (
    <input
      ref={input}
      type="file"
      accept="image/*"
      capture={isCamera ? 'environment' : undefined}
      aria-label={label}
      className="sr-only"
      tabIndex={-1}
      onChange={(event) => {
        onFile(event.target.files?.[0]);
        event.target.value = '';
      }}
    />
  );
}

function stateOf({ uploadedAt, refusal }: KeptPhoto): string {
  if (refusal) return 'Not taken';
  return uploadedAt ? 'Sent' : 'Kept on this device';
}

export function Thumbnail({ blob, label }: { blob: Blob; label: string }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  if (!url) return <span className="block size-20 rounded bg-idle-soft" />;
  return <img src={url} alt={label} className="size-20 rounded object-cover" />;
}
