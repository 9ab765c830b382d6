/** What may not be changed is read as text, and does not look like a box to type into. */
export const offLook = 'disabled:border-line disabled:bg-subtle disabled:text-text-2 disabled:opacity-100';
