/** On a phone the columns that have no room stand below the first one. */
export function Below({ lines }: { lines: readonly (string | null)[] }) {
  return (
    <span className="block whitespace-normal text-12 text-text-2 md:hidden">
      {lines
        .filter((line) => line !== null && line !== '')
        .map((line) => (
          <span key={line} className="block break-words">
            {line}
          </span>
        ))}
    </span>
  );
}
