export type ToastMessage = {
  title: string;
  description?: string | undefined;
  /** What else there is to know, as a line of its own beneath: the server's sentence, where the description is a set text. */
  detail?: string | undefined;
  variant?: 'destructive';
  action?: { label: string; run: () => void };
};

/** Only this many are visible at a time: a second replaces the first. */
export const TOAST_LIMIT = 1;
/** A dismissed toast is forgotten after this long. */
export const TOAST_REMOVE_DELAY = 1_000_000;
/** A toast closes by itself after this long. */
export const TOAST_DURATION = 5000;

export type ShownToast = ToastMessage & { id: number; open: boolean };

let nextId = 1;
let toasts: readonly ShownToast[] = [];
const listeners = new Set<() => void>();

function change(next: readonly ShownToast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows a message; the host in the shell draws it. */
export function toast(message: ToastMessage): void {
  change([{ ...message, id: nextId++, open: true }, ...toasts].slice(0, TOAST_LIMIT));
}

/** Closes a toast now, and forgets it later. */
export function dismissToast(id: number): void {
  change(toasts.map((one) => (one.id === id ? { ...one, open: false } : one)));
  setTimeout(() => change(toasts.filter((one) => one.id !== id)), TOAST_REMOVE_DELAY);
}

/** Takes away the failure that says this sentence: what it is about went well after all. */
export function takeBackFailure(sentence: string): void {
  const told = toasts.find(({ open, variant, description, detail }) => {
    return open && variant === 'destructive' && (description === sentence || detail === sentence);
  });
  if (told) dismissToast(told.id);
}

export const toastStore = {
  get: (): readonly ShownToast[] => toasts,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
