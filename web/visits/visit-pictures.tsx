import { useState } from 'react';
import type { Visit } from '../../contract/visits.ts';
import { photoDays } from '../../domain/field-event.ts';
import { countOf } from '../http/format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Icon } from '../ui/icon.tsx';

type Props = { photos: Visit['photos']; visitTitle: string; openedAt: string };

const dayMs = 24 * 3_600_000;

/** The photos of a visit, small; one opens large. */
export function VisitPictures({ photos, visitTitle, openedAt }: Props) {
  const [shown, setShown] = useState<number | null>(null);
  const there = photos.filter((photo) => photo.isThere);
  const missing = photos.length - there.length;
  const open = shown === null ? undefined : there[shown];
  return (
    <>
      {there.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {there.map(({ hash }, i) => (
            <li key={hash}>
              <Thumbnail hash={hash} label={`Photo ${i + 1} of ${visitTitle}`} onOpen={() => setShown(i)} />
            </li>
          ))}
        </ul>
      )}
      {missing > 0 && <p className="text-text-2">{missingWords(missing, openedAt)}</p>}
      {open && shown !== null && (
        <Dialog
          open
          wide
          onClose={() => setShown(null)}
          title={`Photo ${shown + 1} of ${there.length}`}
          description={visitTitle}
        >
          <img
            src={`/api/photos/${open.hash}`}
            alt={`Taken on the visit of ${visitTitle}`}
            className="mx-auto max-h-[68dvh] rounded-s"
          />
          {there.length > 1 && (
            <div className="mt-3 grid grid-cols-2 gap-2">
              <Button className="max-lg:min-h-12" disabled={shown === 0} onClick={() => setShown(shown - 1)}>
                Previous
              </Button>
              <Button
                className="max-lg:min-h-12"
                disabled={shown === there.length - 1}
                onClick={() => setShown(shown + 1)}
              >
                Next
              </Button>
            </div>
          )}
        </Dialog>
      )}
    </>
  );
}

function missingWords(missing: number, openedAt: string): string {
  const photos = countOf(missing, 'photo');
  const isOld = Date.now() - Date.parse(openedAt) > photoDays * dayMs;
  if (isOld) return `${photos} deleted: photos are kept for ${photoDays} days.`;
  return `${photos} still on the driver's phone.`;
}

function Thumbnail({ hash, label, onOpen }: { hash: string; label: string; onOpen: () => void }) {
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) {
    return (
      <button
        type="button"
        aria-label={`${label} did not load. Try again`}
        onClick={() => setIsBroken(false)}
        className="grid size-20 place-items-center rounded border border-line bg-subtle text-text-2"
      >
        <Icon name="refresh" size={20} />
      </button>
    );
  }
  return (
    <button type="button" aria-label={label} onClick={onOpen} className="block rounded">
      <img
        src={`/api/photos/${hash}`}
        alt=""
        loading="lazy"
        onError={() => setIsBroken(true)}
        className="size-20 rounded border border-line bg-subtle object-cover"
      />
    </button>
  );
}
