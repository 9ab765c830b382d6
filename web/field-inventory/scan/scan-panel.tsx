import { type RefObject, useCallback, useRef, useState } from 'react';
import type { Product } from '../../../contract/products.ts';
import type { LocationRef } from '../../../domain/location.ts';
import { may } from '../../../domain/permissions.ts';
import { normalBarcode } from '../../../domain/product.ts';
import { findProduct, type StockRow, someBarcodes } from '../../offline/kept/reads.ts';
import type { Offline } from '../../offline/offline.ts';
import { useOffline, useStored } from '../../offline/use-offline.ts';
import { latePart } from '../../ui/address/late-code.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { productOfWaiting } from '../barcodes/waiting-codes.ts';
import { WaitingCodes } from '../barcodes/waiting-list.tsx';
import type { Drafts } from '../drafts/draft-desk.ts';
import { TapButton } from '../quantity/tap-button.tsx';
import { useSession } from '../use-field.ts';
import { findLocation } from './product-by-code.ts';
import { signalScan } from './scan-signal.ts';
import { checkDigitProblem, ScanMemory } from './scan-text.ts';
import { suggestionFor } from './scanned-product.ts';
import { UnknownCode } from './unknown-code.tsx';
import { useHandScanner } from './use-hand-scanner.ts';

const CameraScan = latePart(
  async () => (await import('./camera-scan.tsx')).CameraScan,
  <div className="h-56 rounded bg-idle-soft" />,
);

type ScanPanelProps = {
  /** The stock of the location opened; null while the list shows. */
  rows: StockRow[] | null;
  drafts: Drafts;
  onRestock: (row: StockRow, units: number) => void;
  /** A machine's own code opens it. */
  onOpen: (ref: LocationRef) => void;
  /** Adds a line to the visit's note; null while the list shows. */
  onNote: ((line: string) => void) | null;
};

/** One box for the camera, the keyboard and a hand scanner, which types and presses Enter. */
export function ScanPanel(props: ScanPanelProps) {
  const [text, setText] = useState('');
  const [isCameraOpen, setIsCameraOpen] = useState(false);
  const [unknown, setUnknown] = useState<string | null>(null);
  const session = useSession();
  const box = useRef<HTMLInputElement>(null);
  const lookUp = useLookUp(props, setUnknown);
  useHandScanner((code) => void lookUp(code, 'typed'));
  const submit = async () => {
    const code = text.trim();
    if (code === '') return;
    setText('');
    await lookUp(code, 'typed');
    box.current?.focus();
  };
  const { onNote } = props;
  // The row of what was just scanned comes into view: the picture of the next one must not leave it.
  const held = isCameraOpen ? 'sticky top-0 z-10 bg-ground' : '';
  return (
    <section aria-label="Scan" className={`mb-2 grid gap-2 border-b border-line px-4 py-3 ${held}`}>
      {isCameraOpen && (
        <CameraScan onCode={(code) => void lookUp(code, 'camera')} onClose={() => setIsCameraOpen(false)} />
      )}
      <BarcodeForm
        box={box}
        text={text}
        onText={setText}
        onSubmit={() => void submit()}
        onCamera={() => setIsCameraOpen(true)}
      />
      {unknown !== null && session && (
        <UnknownCode
          key={unknown}
          code={unknown}
          userId={session.person.id}
          mayWrite={may(session.person.role, 'office:write')}
          onNote={onNote && (() => onNote(`Unknown barcode ${unknown}`))}
          onDone={() => setUnknown(null)}
        />
      )}
      {session && <WaitingCodes userId={session.person.id} />}
      {!isCameraOpen && <SampleBarcodes />}
    </section>
  );
}

type BarcodeFormProps = {
  box: RefObject<HTMLInputElement | null>;
  text: string;
  onText: (text: string) => void;
  onSubmit: () => void;
  onCamera: () => void;
};

function BarcodeForm({ box, text, onText, onSubmit, onCamera }: BarcodeFormProps) {
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <label className="grid min-w-0 flex-1 gap-1 text-14 text-text-2">
        Barcode
        <input
          ref={box}
          value={text}
          onChange={(event) => onText(event.target.value)}
          inputMode="numeric"
          autoComplete="off"
          enterKeyHint="go"
          maxLength={300}
          className="h-12 w-full rounded border border-line-strong bg-ground px-3 text-20 tabular-nums text-text"
        />
      </label>
      <Button size="field" type="submit" disabled={text.trim() === ''}>
        Scan
      </Button>
      <TapButton icon="camera" label="Scan with the camera" onClick={onCamera} />
    </form>
  );
}

/** In the demo only: real barcodes of its catalogue, for those who have no product at hand. */
function SampleBarcodes() {
  const session = useSession();
  const codes = useStored(useCallback((offline: Offline) => someBarcodes(offline, 4), []));
  if (!session?.operator.isDemo || !codes || codes.length === 0) return null;
  return <p className="text-14 text-text-2 tabular-nums">Try: {codes.join(', ')}</p>;
}

type Scanned = (code: string, from: 'camera' | 'typed') => Promise<void>;

/** What a code leads to: a machine opened, a product restocked, or a sentence about what is wrong. */
function useLookUp(props: ScanPanelProps, onUnknown: (code: string | null) => void): Scanned {
  const offline = useOffline();
  const session = useSession();
  const [memory] = useState(() => new ScanMemory());
  return async (code, from) => {
    // A camera reads 13 digits where a hand scanner types 12 of the same product.
    const times = memory.take(normalBarcode(code), offline.environment.now(), from);
    if (times === null) return;
    const userId = session?.person.id;
    const given = async () => (userId ? productOfWaiting(offline, userId, code) : null);
    const product = (await findProduct(offline, code)) ?? (await given());
    if (product) {
      signalScan('found');
      onUnknown(null);
      if (times === 1) takeProduct(props, product);
      else warnOfRepeat(props, product, times);
      return;
    }
    const location = await findLocation(offline, code);
    signalScan(location ? 'found' : 'problem');
    if (location) {
      props.onOpen(location);
      return;
    }
    const wrongDigit = checkDigitProblem(code);
    onUnknown(wrongDigit ? null : code);
    toast({
      title: 'Product Not Found',
      description: ['Barcode not recognized. Please enter manually.', wrongDigit].filter(Boolean).join(' '),
      variant: 'destructive',
    });
  };
}

function warnOfRepeat(props: ScanPanelProps, product: Product, times: number): void {
  toast({
    title: 'Scanned again',
    description: `${product.name}: scan ${times} of the same barcode. Nothing was added.`,
    ...(props.rows ? { action: { label: 'Add again', run: () => takeProduct(props, product) } } : {}),
  });
}

function takeProduct({ rows, drafts, onRestock }: ScanPanelProps, product: Product): void {
  const title = 'Product Scanned';
  const found = rows ? suggestionFor(product, rows, drafts) : null;
  if (found && found.units > 0) {
    onRestock(found.row, found.units);
    toast({ title, description: `${product.name}: suggested restock ${found.units}` });
    return;
  }
  if (found) {
    toast({ title, description: `${product.name}: suggested restock 0, it is full` });
    return;
  }
  const suggested = `${product.name}: suggested restock ${product.caseSize ?? 1}.`;
  const next = rows ? 'It is not stocked at this location.' : 'Open a location to add it.';
  toast({ title, description: `${suggested} ${next}` });
}
