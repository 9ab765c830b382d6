import { z } from 'zod';
import type { InventoryRow } from '../../contract/inventory.ts';
import { type InventoryItemInput, type InventoryItemUpdate, inventoryItemInput } from '../../domain/inventory-edit.ts';
import { formatNumber } from '../http/format.ts';
import { MarketChooser } from '../markets/market-chooser.tsx';
import { ComboBox } from '../ui/forms/combo-box.tsx';
import type { TheirChange } from '../ui/forms/edit-conflict.tsx';
import { useForm } from '../ui/forms/form.ts';
import { RecordDialog } from '../ui/forms/record-dialog.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { useRebase } from '../ui/forms/use-rebase.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { loadItem, tellUpdateFailed, useCreateItem, useItemAt, useProductSuggestions, useUpdateItem } from './api.ts';

const labels = {
  market: 'Market',
  productName: 'Product',
  currentQuantity: 'Current quantity',
  minimumQuantity: 'Minimum quantity',
  parQuantity: 'Fill up to',
};

type Values = Record<keyof typeof labels | 'marketId', string>;

/** What is typed: text everywhere. The market's name is for the eyes, its id for the server. */
function valuesOf(item: InventoryRow): Values {
  return {
    market: item.marketName,
    marketId: String(item.marketId),
    productName: item.productName,
    currentQuantity: String(item.currentQuantity),
    minimumQuantity: String(item.minimumQuantity),
    parQuantity: item.parQuantity === null ? '' : String(item.parQuantity),
  };
}

const fresh = { productName: '', currentQuantity: '0', minimumQuantity: '10', parQuantity: '' };

const wholeNumber = (text: unknown): unknown => (typeof text === 'string' && text.trim() !== '' ? Number(text) : NaN);

/** Text into what the server takes. */
const typed = z.preprocess((values) => {
  const { market: _, ...rest } = values as Values;
  return {
    ...rest,
    marketId: Number(rest.marketId) || undefined,
    currentQuantity: wholeNumber(rest.currentQuantity),
    minimumQuantity: wholeNumber(rest.minimumQuantity),
    parQuantity: rest.parQuantity.trim() === '' ? null : wholeNumber(rest.parQuantity),
  };
}, inventoryItemInput);

/** The market that a new item is for, where the table shows only one. */
type Place = { id: number; name: string };
type Props = { item: InventoryRow | null; market?: Place | null; onClose: () => void };

/** Adds an item, or changes the one given. Mount it to open it. */
export function ItemForm({ item, market = null, onClose }: Props) {
  const place = { market: market?.name ?? '', marketId: market ? String(market.id) : '' };
  const { save, base, conflict, take } = useSaveItem(item);
  const form = useForm({
    schema: typed,
    initial: item ? valuesOf(item) : { ...place, ...fresh },
    // A draft of an older state of the item is not shown over a newer one.
    draftKey: item ? `item-${item.id}-${item.version}` : `item-new-${place.marketId}`,
    onSubmit: async (input) => {
      await save(input, form);
      onClose();
    },
  });
  const { field } = form;
  const takeWhole = (change: TheirChange): void => {
    take(change, form);
    if (change.field === 'market' && base) form.set('marketId', String(base.marketId));
  };
  return (
    <RecordDialog
      noun="Item"
      name={item?.productName}
      form={form}
      conflict={conflict}
      onTake={takeWhole}
      onClose={onClose}
    >
      <MarketChooser
        className="col-span-2"
        text={form.values.market}
        chosen={form.values.marketId !== ''}
        error={form.errorOf('marketId')}
        onBlur={field('marketId').onBlur}
        onText={(text) => {
          form.set('market', text);
          form.set('marketId', '');
        }}
        onChoose={(chosen) => {
          form.set('market', chosen.name);
          form.set('marketId', String(chosen.id));
        }}
      />
      <ProductField {...field('productName')} />
      {!item && <ThereAlready marketId={Number(form.values.marketId) || null} productName={form.values.productName} />}
      <TextField label={labels.currentQuantity} required inputMode="numeric" {...field('currentQuantity')} />
      <TextField label={labels.minimumQuantity} required inputMode="numeric" {...field('minimumQuantity')} />
      <TextField
        label={labels.parQuantity}
        hint="Empty: twice the minimum"
        inputMode="numeric"
        {...field('parQuantity')}
      />
    </RecordDialog>
  );
}

type Form = { values: Values; set: (name: keyof Values, value: string) => void };

/** Creates or changes; an edit sends what this person changed, on top of what others changed meanwhile. */
function useSaveItem(item: InventoryRow | null) {
  const create = useCreateItem();
  const update = useUpdateItem();
  const { base, rebase, conflict, take } = useRebase(item, {
    valuesOf,
    labels,
    loadNewest: ({ id }) => loadItem(id),
    // Units sold while the form was open: what is typed goes on top of them.
    isNobodys: ({ field, mine }) => field === 'currentQuantity' && mine === null,
  });
  const change = async (onto: InventoryRow, input: InventoryItemInput): Promise<void> => {
    const body = changedOf(onto, input);
    // Saved as it was: there is nothing to tell the server, and nothing was updated.
    if (Object.keys(body).length > 0) await update.mutateAsync({ item: onto, body });
  };
  const save = async (input: InventoryItemInput, form: Form): Promise<void> => {
    if (!base) {
      await create.mutateAsync(input);
      return;
    }
    try {
      await change(base, input).catch(async (error: unknown) => {
        const { newest, isSettled } = await rebase(error, form);
        if (!isSettled) throw error;
        const quantity = form.values.currentQuantity === String(base.currentQuantity) ? newest.currentQuantity : null;
        return change(newest, { ...input, currentQuantity: quantity ?? input.currentQuantity });
      });
    } catch (error) {
      tellUpdateFailed(error);
      throw error;
    }
  };
  return { save, base, conflict, take };
}

/** What differs from the row: an unchanged quantity is no count. */
function changedOf(item: InventoryRow, input: InventoryItemInput): InventoryItemUpdate {
  const { marketId, productName, currentQuantity, minimumQuantity, parQuantity = null } = input;
  return {
    ...(marketId === item.marketId ? {} : { marketId }),
    ...(productName === item.productName ? {} : { productName }),
    ...(currentQuantity === item.currentQuantity ? {} : { currentQuantity }),
    ...(minimumQuantity === item.minimumQuantity ? {} : { minimumQuantity }),
    ...(parQuantity === item.parQuantity ? {} : { parQuantity }),
  };
}

type ThereProps = { marketId: number | null; productName: string };

/** Warns of a second row for one product at one market; two shelves of it may be meant. */
function ThereAlready({ marketId, productName }: ThereProps) {
  const found = useItemAt(marketId, useDebounced(productName.trim()));
  if (!found) return null;
  return (
    <p role="status" className="col-span-2 text-warn-text">
      {found.marketName} already has {found.productName}, {formatNumber(found.currentQuantity)} in stock. Edit that item
      to change it; adding makes a second one.
    </p>
  );
}

type ProductProps = {
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
  onBlur: () => void;
};

/** Any name; those of the catalogue are suggested, another becomes a product of it. */
function ProductField({ value, error, onChange, onBlur }: ProductProps) {
  const { data: products } = useProductSuggestions(useDebounced(value.trim()));
  return (
    <ComboBox
      className="col-span-2"
      label={labels.productName}
      text={value}
      error={error}
      hint={value.trim() !== '' && products?.length === 0 ? 'New in the catalogue' : undefined}
      onText={onChange}
      onBlur={onBlur}
      options={(products ?? []).map(({ id, name, brand, category }) => ({
        key: String(id),
        label: name,
        detail: [brand, category].filter(Boolean).join(', '),
      }))}
      onChoose={({ label }) => onChange(label)}
    />
  );
}
