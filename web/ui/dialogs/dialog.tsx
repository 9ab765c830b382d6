import { type MouseEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Button, IconButton } from '../button.tsx';
import { headingOf } from '../focus-onward.ts';
import { openOnTop } from './top-dialog.ts';

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  description?: string;
  footer?: ReactNode;
  wide?: boolean;
  /** Only a button of its content ends it: for what a slip of the hand must not lose. */
  steady?: boolean;
  children?: ReactNode;
};

/**
 * Leaves a dialog by a press on what lies behind it. A press that began inside, such as a text that is selected past the edge,
 * ends on the dialog as well and does not mean that.
 */
export function useBackdrop(leave: () => void) {
  const beganInside = useRef(false);
  return {
    onPointerDown: ({ target, currentTarget }: PointerEvent) => {
      beganInside.current = target !== currentTarget;
    },
    onClick: ({ target, currentTarget }: MouseEvent) => {
      if (target === currentTarget && !beganInside.current) leave();
    },
  };
}

/** The platform's modal dialog: it traps focus, closes on Escape and backdrop, and gives focus back. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  footer,
  wide = false,
  steady = false,
  children,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    const section = opener?.closest('section');
    const leaveTop = open && dialog ? openOnTop(dialog) : null;
    if (!open && dialog?.open) dialog.close();
    return () => {
      leaveTop?.();
      // The platform gives focus back from a dialog that is closed, not from one that is taken away while it is open.
      const isLost = document.activeElement === document.body;
      if (!open || !isLost || !(opener instanceof HTMLElement) || opener === document.body) return;
      // The row of the button may have been deleted by what was answered here.
      (opener.isConnected ? opener : headingOf(section))?.focus();
    };
  }, [open]);
  const leave = (): void => {
    if (!steady) onClose();
    // Some browsers close on the second Escape or the back gesture whatever the page says.
    else if (!ref.current?.open) ref.current?.showModal();
  };
  const backdrop = useBackdrop(leave);
  if (!open) return null;
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      // The close of a dialog inside this one bubbles up to here in React.
      onClose={(event) => event.target === event.currentTarget && leave()}
      {...backdrop}
      onCancel={(event) => steady && event.preventDefault()}
      className={`m-auto max-h-[90dvh] w-[calc(100vw-32px)] flex-col overflow-hidden rounded border border-line bg-raised p-0 text-text shadow-float open:flex ${wide ? 'max-w-3xl' : 'max-w-[30rem]'}`}
    >
      <header className="flex flex-none items-start gap-2 px-4 pt-4 pb-2">
        <div className="min-w-0 flex-1">
          <h2 id={id} className="text-16">
            {title}
          </h2>
          {description && <p className="text-text-2">{description}</p>}
        </div>
        {!steady && (
          <IconButton
            label="Close"
            icon="close"
            className="max-lg:-mt-3 max-lg:-mr-3 max-lg:size-12"
            onClick={onClose}
          />
        )}
      </header>
      <div data-toasts="" className="relative z-10 h-0 flex-none" />
      {/* A field that is scrolled to brings its label above and its message below along. */}
      <div className="relative min-h-0 flex-1 scroll-py-12 overflow-auto px-4 pb-4">{children}</div>
      {footer && (
        <footer className="flex flex-none flex-wrap justify-end gap-2 border-line border-t bg-raised px-4 py-3 max-lg:[&_button]:min-h-12">
          {footer}
        </footer>
      )}
    </dialog>
  );
}

type ConfirmProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  confirmLabel: string;
  cancelLabel?: string;
  onConfirm: () => void;
  pending?: boolean;
  /** What is being done meanwhile. */
  pendingLabel?: string;
  children: ReactNode;
};

/** Asks before what cannot be undone, and names it. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  confirmLabel,
  cancelLabel = 'Cancel',
  onConfirm,
  pending = false,
  pendingLabel,
  children,
}: ConfirmProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{cancelLabel}</Button>
          <Button variant="danger" pending={pending} {...(pendingLabel ? { pendingLabel } : {})} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="text-text-2">{children}</div>
    </Dialog>
  );
}
