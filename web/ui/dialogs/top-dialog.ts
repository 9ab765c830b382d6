/** Modal dialogs that are open, the newest last: what is not inside it can be neither seen whole nor pressed. */
let opened: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLDialogElement[]): void {
  opened = next;
  for (const listener of listeners) listener();
}

/** Opens a dialog above all else; the answer tells that it is gone. */
export function openOnTop(dialog: HTMLDialogElement): () => void {
  if (!dialog.open) dialog.showModal();
  change([...opened.filter((one) => one !== dialog), dialog]);
  return () => change(opened.filter((one) => one !== dialog));
}

export const topDialog = {
  get: (): HTMLDialogElement | null => opened.at(-1) ?? null,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
