import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

const delayMs = 700;
const skipDelayMs = 300;

/** Around those that are looked at one after the other, as down a column: the next one opens without the wait. */
export function Tooltips({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={delayMs} skipDelayDuration={skipDelayMs}>
      {children}
    </Radix.Provider>
  );
}

/** Says more about what is under the pointer or focus, within `Tooltips`. For chunks that load later: it weighs twenty kilobytes. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={4}
          className="z-50 rounded border border-line bg-raised px-2 py-1 text-12 shadow-float"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
