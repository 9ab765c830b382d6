import { useRef, useState } from 'react';
import type { KeptPhoto } from '../../offline/outbox/records.ts';
import type { StoredKind } from '../../offline/outbox/signal.ts';
import { dropPhoto, listRefusedPhotos, replacePhoto } from '../../offline/photos/refused-photos.ts';
import { useOffline, useStored } from '../../offline/use-offline.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/dialog.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { clockTime } from '../wording.ts';
import { photoSentence, readPhoto } from './read-photo.ts';
import { Thumbnail } from './visit-photos.tsx';

const sent: readonly StoredKind[] = ['outbox'];

/** Photos the server would not have: why, and what can be done about each. */
export function RefusedPhotos() {
  const refused = useStored(listRefusedPhotos, sent) ?? [];
  if (refused.length === 0) return null;
  return (
    <ul aria-label="Photos not taken" className="border-line border-b">
      {refused.map((photo) => (
        <Refused key={photo.id} photo={photo} />
      ))}
    </ul>
  );
}

function Refused({ photo }: { photo: KeptPhoto }) {
  const offline = useOffline();
  const input = useRef<HTMLInputElement>(null);
  const [isAsking, setIsAsking] = useState(false);
  const takenAt = clockTime(photo.takenAt, offline.environment.now());
  const retake = async (file: File | undefined) => {
    if (!file) return;
    try {
      await replacePhoto(offline, photo, await readPhoto(file));
    } catch (error) {
      toast({ title: 'Photo not kept', description: photoSentence(error), variant: 'destructive' });
    }
  };
  return (
    <li className="grid grid-cols-[80px_minmax(0,1fr)] gap-x-3 gap-y-2 border-line border-t px-4 py-3 first:border-t-0">
      <Thumbnail blob={photo.blob} label="Photo not taken" />
      <span className="text-16 text-bad-text">
        <strong className="block font-semibold">{`Photo of ${takenAt} not taken`}</strong>
        {photo.refusal}
      </span>
      <input
        ref={input}
        type="file"
        accept="image/*"
        capture="environment"
        aria-label="Take the photo again"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          void retake(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <span className="col-span-2 grid grid-cols-2 gap-2">
        <Button size="field" onClick={() => input.current?.click()}>
          Take again
        </Button>
        <Button size="field" onClick={() => setIsAsking(true)}>
          Drop
        </Button>
      </span>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Drop the photo of ${takenAt}?`}
        confirmLabel="Drop photo"
        cancelLabel="Keep it"
        onConfirm={() => void dropPhoto(offline, photo)}
      >
        The server does not have it. It is deleted from this device, and the visit goes on without it.
      </ConfirmDialog>
    </li>
  );
}
