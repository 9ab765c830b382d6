import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

type Props = {
  /** Draws the button that opens it. */
  trigger: (props: { id: string; 'aria-expanded': boolean; 'aria-controls': string; onClick: () => void }) => ReactNode;
  label: string;
  children: (close: () => void) => ReactNode;
};

/** A panel under a button; a click or the focus elsewhere closes it, and so does Escape, which gives the focus back. */
export function Popover({ trigger, label, children }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const onElsewhere = (event: Event): void => {
      if (event.target instanceof Node && !place.current?.contains(event.target)) setOpen(false);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      document.getElementById(`${id}-button`)?.focus();
    };
    window.addEventListener('pointerdown', onElsewhere);
    window.addEventListener('focusin', onElsewhere);
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('pointerdown', onElsewhere);
      window.removeEventListener('focusin', onElsewhere);
      window.removeEventListener('keydown', onKey);
    };
  }, [open, id]);
  return (
    <div ref={place} className="relative">
      {trigger({
        id: `${id}-button`,
        'aria-expanded': open,
        'aria-controls': `${id}-panel`,
        onClick: () => setOpen(!open),
      })}
      {open && (
        <section
          id={`${id}-panel`}
          aria-label={label}
          className="absolute top-full right-0 z-40 mt-1 max-h-[70dvh] w-88 max-w-[calc(100vw-16px)] overflow-auto rounded border border-line bg-raised shadow-float max-lg:fixed max-lg:top-14 max-lg:right-2"
        >
          {children(() => setOpen(false))}
        </section>
      )}
    </div>
  );
}
