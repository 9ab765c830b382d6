import { Button } from '../../ui/button.tsx';

type SaveBarProps = {
  draftCount: number;
  unsentCount: number;
  isSaving: boolean;
  onClear: () => void;
  onSave: () => void;
};

export function SaveBar({ draftCount, unsentCount, isSaving, onClear, onSave }: SaveBarProps) {
  const isEmpty = draftCount === 0;
  return (
    <section
      aria-label="Changes to save"
      // A phone on its side has no room to give away.
      className={`grid gap-2 px-4 pt-2 pb-4 ${isEmpty ? '[@media(max-height:479px)]:hidden' : ''}`}
    >
      <div className="flex items-center justify-between gap-3 text-14 text-text-2">
        <strong className="font-semibold text-text">
          {isEmpty ? 'No changes yet' : `${draftCount} items to update`}
        </strong>
        {unsentCount > 0 && <span>{unsentCount} saved on this device</span>}
      </div>
      <div className="grid grid-cols-[104px_1fr] gap-2">
        <Button size="thumb" disabled={isEmpty || isSaving} onClick={onClear}>
          Clear
        </Button>
        <Button
          size="thumb"
          variant="primary"
          disabled={isEmpty}
          pending={isSaving}
          pendingLabel="Saving..."
          onClick={onSave}
        >
          Save Changes
        </Button>
      </div>
    </section>
  );
}
