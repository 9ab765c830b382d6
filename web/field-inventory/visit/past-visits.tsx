import { useState } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import { Button } from '../../ui/button.tsx';
import { VisitHistory } from '../../visits/visit-history.tsx';

/** What was noted here before; asked for only when it is opened, so that it costs the count nothing. */
export function PastVisits({ location }: { location: LocationRef }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section aria-label="Past visits" className="border-line border-t px-4 py-4">
      <Button size="field" icon="history" className="w-full" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {isOpen ? 'Hide past visits' : 'Past visits'}
      </Button>
      {isOpen && (
        <div className="-mx-4 pt-2">
          <VisitHistory type={location.type} id={location.id} />
        </div>
      )}
    </section>
  );
}
