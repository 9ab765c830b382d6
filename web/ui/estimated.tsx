const words: Record<string, { word: string; why: string }> = {
  estimate: {
    word: 'estimated',
    why: 'From straight lines: no road engine is set, it did not answer, or its map ends before here.',
  },
  mixed: {
    word: 'partly estimated',
    why: 'Measured along roads where the road engine has a map and answered; the rest is from straight lines.',
  },
};

/** Says of distances and times that they are estimated; nothing where a road engine measured them. */
export function Estimated({ source, className = '' }: { source: string | null; className?: string }) {
  const estimated = source === null ? undefined : words[source];
  if (!estimated) return null;
  return (
    <span className={`font-normal text-12 text-text-3 ${className}`} title={estimated.why}>
      {estimated.word}
    </span>
  );
}
