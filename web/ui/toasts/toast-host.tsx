import { Toast } from 'radix-ui';
import { useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { IconButton } from '../button.tsx';
import { topDialog } from '../dialogs/top-dialog.ts';
import { Icon } from '../icon.tsx';
import { dismissToast, type ShownToast, TOAST_DURATION, toastStore } from './toast.ts';

/** Pixels to the right that throw a toast away. */
const swipeThreshold = 50;

/** Pixels that a toast of some lines takes with the space around it. */
const toastRoom = 128;

/** Draws the toasts, inside the dialog that is open: beneath it they could be neither read nor pressed. F8 moves the focus to them. */
export function ToastHost() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get);
  const dialog = useSyncExternalStore(topDialog.subscribe, topDialog.get);
  const isBeneath = useIsBeneath(dialog, toasts.at(-1)?.id);
  const place = (
    <Toast.Viewport
      hotkey={['F8']}
      className={`print:hidden fixed right-0 bottom-0 z-50 flex w-full flex-col gap-2 p-4 sm:max-w-[26.25rem] ${isBeneath ? beneathTitle : atTop}`}
    />
  );
  return (
    <Toast.Provider duration={TOAST_DURATION} swipeDirection="right" swipeThreshold={swipeThreshold}>
      {toasts.map((one) => (
        <OneToast key={one.id} toast={one} />
      ))}
      {dialog ? createPortal(place, placeIn(dialog) ?? dialog) : place}
    </Toast.Provider>
  );
}

const atTop = 'max-lg:top-0 max-lg:bottom-auto max-lg:px-2 max-lg:pt-[max(8px,env(safe-area-inset-top))]';
const beneathTitle = 'max-lg:absolute max-lg:top-0 max-lg:bottom-auto max-lg:max-w-none max-lg:px-2 max-lg:py-0';

/** Beneath the title of a dialog. */
const placeIn = (dialog: Element): Element | null => dialog.querySelector('[data-toasts]');

/**
 * On a small screen a toast lies over the title of a tall dialog, where it covers nothing that is pressed or typed into. Under a title of
 * one line it would end there all the same: then it lies beneath the title, over what the dialog holds. Pushed down by it, a row would
 * move away under the thumb that is about to press.
 */
function useIsBeneath(dialog: Element | null, newest: number | undefined): boolean {
  const [isBeneath, setBeneath] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog may have grown until the next toast
  useLayoutEffect(() => {
    const place = dialog && placeIn(dialog);
    setBeneath(place !== null && place.getBoundingClientRect().top < toastRoom);
  }, [dialog, newest]);
  return isBeneath;
}

function OneToast({ toast }: { toast: ShownToast }) {
  const bad = toast.variant === 'destructive';
  return (
    <Toast.Root
      open={toast.open}
      type={bad ? 'foreground' : 'background'}
      onOpenChange={(open) => !open && dismissToast(toast.id)}
      className={`flex items-start gap-3 rounded border bg-raised p-4 shadow-float data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) ${bad ? 'border-bad' : 'border-line'}`}
    >
      <span className={`mt-0.5 ${bad ? 'text-bad' : 'text-ok'}`}>
        <Icon name={bad ? 'alert' : 'check'} />
      </span>
      <div className="min-w-0 flex-1">
        <Toast.Title className="font-semibold">{toast.title}</Toast.Title>
        {toast.description && <Toast.Description className="text-text-2">{toast.description}</Toast.Description>}
        {toast.detail && <p className="mt-1 text-12 text-text-2">{toast.detail}</p>}
      </div>
      {toast.action && (
        <Toast.Action
          altText={toast.action.label}
          onClick={toast.action.run}
          className="h-8 rounded border border-line-ctl px-3 font-medium hover:bg-hover max-lg:-my-2 max-lg:h-12 max-lg:px-4 max-lg:text-16"
        >
          {toast.action.label}
        </Toast.Action>
      )}
      <Toast.Close asChild>
        <IconButton
          label="Close message"
          icon="close"
          size="small"
          className="max-lg:-my-2 max-lg:-mr-2 max-lg:size-12"
        />
      </Toast.Close>
    </Toast.Root>
  );
}
