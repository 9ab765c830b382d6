/** What the move under the hand would cost. It lies over the head of a column: rows below must not shift from under the pointer. */
export function MoveCost({ text }: { text: string }) {
  return (
    <p
      role="status"
      className="pointer-events-none absolute inset-x-0 bottom-0 bg-accent-soft px-3 py-1 font-medium text-12 text-accent"
    >
      {text}
    </p>
  );
}
