import { type Ref, useCallback, useEffect, useState } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import type { Offline } from '../../offline/offline.ts';
import { keepPhoto, listVisitPhotos } from '../../offline/photos.ts';
import type { KeptPhoto } from '../../offline/records.ts';
import { useOffline, useStored } from '../../offline/use-offline.ts';
import { toast } from '../../ui/toast.ts';
import { PhotoProblem, readPhoto } from './read-photo.ts';

type VisitPhotosProps = { userId: number; location: LocationRef; input: Ref<HTMLInputElement> };

/** The photos of this visit, and the camera's own dialog behind a hidden input. */
export function VisitPhotos({ userId, location, input }: VisitPhotosProps) {
  const offline = useOffline();
  const { type, id } = location;
  const photos = useStored(
    useCallback((from: Offline) => listVisitPhotos(from, userId, { type, id }), [userId, type, id]),
  );
  const take = async (file: File | undefined) => {
    if (!file) return;
    try {
      await keepPhoto(offline, { userId, location, blob: await readPhoto(file) });
    } catch (error) {
      toast({
        title: 'Photo not kept',
        description: error instanceof PhotoProblem ? error.message : 'This phone could not keep the picture.',
        variant: 'destructive',
      });
    }
  };
  return (
    <section aria-label="Photos of this visit" className="px-4 py-2">
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        aria-label="Take or pick a photo"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          void take(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      {photos && photos.length > 0 && (
        <ul className="flex gap-2 overflow-x-auto">
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

function stateOf({ uploadedAt, refusal }: KeptPhoto): string {
  if (refusal) return 'Not taken';
  return uploadedAt ? 'Sent' : 'Kept on this phone';
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
