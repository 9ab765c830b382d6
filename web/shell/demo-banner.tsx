import { useState } from 'react';
import { useMay } from '../auth/api.ts';
import { lateDialog } from '../ui/address/late-code.tsx';
import { Button } from '../ui/button.tsx';

const EndDemo = lateDialog('Start with my own data', async () => (await import('./end-demo-dialog.tsx')).EndDemo);

/** Says that nothing here is real, and leads out of it. */
export function DemoBanner() {
  const mayEnd = useMay('settings:manage');
  const [asking, setAsking] = useState(false);
  return (
    <section
      aria-label="Demo"
      className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-line border-b bg-accent-soft px-6 py-1 text-accent max-lg:px-4"
    >
      <p className="min-w-0 flex-1 font-medium">Demo: a synthetic operator. It lives on every day.</p>
      {mayEnd && (
        <Button size="small" className="max-lg:min-h-12" onClick={() => setAsking(true)}>
          Start with my own data
        </Button>
      )}
      {asking && <EndDemo onClose={() => setAsking(false)} />}
    </section>
  );
}
