import { Button } from './button.tsx';

/** The way out of a list that search and filters left empty, in the same words on every screen. */
export function ClearFilters({ onClear }: { onClear: () => void }) {
  return (
    <Button onClick={onClear} className="max-lg:min-h-12">
      Clear filters
    </Button>
  );
}
