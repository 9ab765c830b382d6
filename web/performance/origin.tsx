import { Popover } from 'radix-ui';
import { IconButton } from '../ui/button.tsx';

/** The button beside a figure that says how it was got. */
export function Origin({ figure, text }: { figure: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton
          icon="info"
          size="small"
          label={`How this is measured: ${figure}`}
          className="text-text-3 max-lg:size-8"
        />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          side="bottom"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={`How this is measured: ${figure}`}
          className="z-50 w-80 max-w-[calc(100vw-16px)] rounded border border-line bg-raised p-4 shadow-float"
        >
          <p className="font-semibold">How this is measured</p>
          <p className="mt-1 text-text-2">{text}</p>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

type FigureProps = { label: string; value: string; detail?: string | undefined; origin: string | undefined };

/** One figure of a section, its origin one click away. The figures of a row stand on one line, however long their labels. */
export function Figure({ label, value, detail, origin }: FigureProps) {
  return (
    <div className="row-span-3 grid min-w-0 grid-rows-subgrid gap-y-1 p-4">
      <dt className="flex min-h-6 items-center gap-1 text-text-2">
        <span className="min-w-0">{label}</span>
        <Origin figure={label} text={origin} />
      </dt>
      <dd className="truncate font-semibold text-20 tracking-tight">{value}</dd>
      {detail && <dd className="text-12 text-text-3">{detail}</dd>}
    </div>
  );
}
