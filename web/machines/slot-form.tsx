import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId } from 'react';
import { z } from 'zod';
import type { Slot } from '../../contract/machines.ts';
import { listProducts, type Product } from '../../contract/products.ts';
import { type SlotInput, slotEdit } from '../../domain/machine.ts';
import { addDays } from '../../domain/time.ts';
import { today } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';
import { Button } from '../ui/button.tsx';
import { DayField } from '../ui/forms/day-field.tsx';
import { EditConflict } from '../ui/forms/edit-conflict.tsx';
import { useFirstField } from '../ui/forms/first-field.ts';
import { useForm } from '../ui/forms/form.ts';
import { KeptDraft } from '../ui/forms/kept-draft.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { useRebase } from '../ui/forms/use-rebase.ts';
import { loadSlot, tellSlotFailed, useSaveSlot } from './api.ts';

const numbers = ['currentQuantity', 'maxQuantity', 'minimumQuantity'] as const;

/** What is typed is text; quantities become numbers, and one left empty becomes `none`. */
const typedWith = (none: number | undefined, slot: Slot | null) =>
  z.preprocess((values) => {
    const text = values as Record<string, string>;
    return {
      ...text,
      ...Object.fromEntries(numbers.map((name) => [name, text[name]?.trim() ? Number(text[name]) : none])),
      parQuantity: text.parQuantity ? Number(text.parQuantity) : null,
      cost: text.cost || null,
      expirationDate: text.expirationDate || null,
    };
  }, slotEdit(slot));

/** A new slot is as usual where nothing is said; of one that is there an emptied field says nothing, least of all a count of 0. */
const typedNew = typedWith(undefined, null);
const typedEdit = (slot: Slot) => typedWith(Number.NaN, slot);

const labels = {
  productName: 'Product name',
  slotNumber: 'Slot number',
  price: 'Price',
  currentQuantity: 'Current quantity',
  maxQuantity: 'Max quantity',
  parQuantity: 'Par',
  minimumQuantity: 'Minimum quantity',
  productCode: 'Product code',
  cost: 'Cost',
  category: 'Category',
  brand: 'Brand',
  expirationDate: 'Expires',
};
type Values = Record<keyof typeof labels, string>;

function valuesOf(slot: Slot | null): Values {
  return {
    productName: slot?.productName ?? '',
    slotNumber: slot?.slotNumber ?? '',
    price: slot?.price ?? '',
    currentQuantity: String(slot?.currentQuantity ?? 0),
    maxQuantity: String(slot?.maxQuantity ?? 10),
    minimumQuantity: String(slot?.minimumQuantity ?? 0),
    parQuantity: slot?.parQuantity ? String(slot.parQuantity) : '',
    productCode: slot?.productCode ?? '',
    cost: slot?.cost ?? '',
    category: slot?.category ?? '',
    brand: slot?.brand ?? '',
    expirationDate: slot?.expirationDate ?? '',
  };
}

type Props = {
  machineId: number;
  /** The one to change; null adds one. */
  slot: Slot | null;
  /** A position to begin with. */
  position?: string;
  onSaved?: (slot: Slot) => void;
  onCancel?: () => void;
};

/** Adds a product to a machine, or changes one. After adding it is empty again, for the next. */
export function SlotForm({ machineId, slot, position = '', onSaved, onCancel }: Props) {
  const { save, conflict, take } = useSave(machineId, slot);
  const form = useForm({
    schema: slot ? typedEdit(slot) : typedNew,
    initial: { ...valuesOf(slot), ...(slot ? {} : { slotNumber: position }) },
    draftKey: slot ? `slot-${slot.id}` : `slot-new-${machineId}-${position}`,
    onSubmit: async (input): Promise<void> => {
      const saved = await save(input, form);
      onSaved?.(saved);
    },
  });
  const fields = useFirstField();
  const isTold = conflict !== null && conflict.changes.length > 0;
  return (
    <form ref={fields} noValidate onSubmit={form.submit} aria-label={slot ? `Edit ${slot.slotNumber}` : 'Add product'}>
      <KeptDraft form={form} className="mb-3" />
      {isTold && (
        <div className="mb-3">
          <EditConflict {...conflict} onTake={(change) => take(change, form)} />
        </div>
      )}
      <div className="grid grid-cols-6 items-start gap-3">
        <Fields form={form} />
      </div>
      {form.failure && !(isTold && form.failure === conflict.sentence) && (
        <p role="alert" className="mt-3 text-bad-text">
          {form.failure}
        </p>
      )}
      <div className="mt-3 flex gap-2">
        <Button
          type="submit"
          variant="primary"
          {...(slot ? {} : { icon: 'plus' as const })}
          pending={form.pending}
          pendingLabel="Saving..."
          className="max-lg:min-h-12"
        >
          {slot ? 'Save Product' : 'Add Product'}
        </Button>
        {onCancel && (
          <Button
            onClick={() => {
              form.discard();
              onCancel();
            }}
            className="max-lg:min-h-12"
          >
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

/** Adds or changes; a change goes on top of what others did meanwhile, and of units sold without a word. */
function useSave(machineId: number, slot: Slot | null) {
  const { mutateAsync } = useSaveSlot(machineId);
  const { base, conflict, rebase, take } = useRebase(slot, {
    valuesOf,
    labels,
    loadNewest: loadSlot,
    isNobodys: ({ field, mine }) => field === 'currentQuantity' && mine === null,
  });
  const save = async (input: SlotInput, form: Pick<Form, 'values' | 'set'>): Promise<Slot> => {
    try {
      return await mutateAsync({ slot: base, input }).catch(async (error: unknown) => {
        const { newest, isSettled } = await rebase(error, form);
        if (!isSettled) throw error;
        const isCounted = form.values.currentQuantity !== String(base?.currentQuantity);
        const { currentQuantity } = isCounted ? input : newest;
        return mutateAsync({ slot: newest, input: { ...input, currentQuantity } });
      });
    } catch (error) {
      tellSlotFailed(slot);
      throw error;
    }
  };
  return { save, conflict, take };
}

type Form = ReturnType<typeof useForm<Values, typeof typedNew>>;

const third = 'col-span-2 max-sm:col-span-3';

function Fields({ form }: { form: Form }) {
  const { field } = form;
  const chosen = (product: Product): void => {
    for (const [name, value] of Object.entries(known(product))) {
      if (value && form.values[name as keyof Known] === '') form.set(name as keyof Known, value);
    }
  };
  return (
    <>
      <ProductField {...field('productName')} onChosen={chosen} />
      <TextField label="Slot number" required autoComplete="off" className={third} {...field('slotNumber')} />
      <TextField label="Price" required inputMode="decimal" autoComplete="off" className={third} {...field('price')} />
      <TextField label="Current quantity" inputMode="numeric" className={third} {...field('currentQuantity')} />
      <TextField label="Max quantity" inputMode="numeric" className={third} {...field('maxQuantity')} />
      <TextField label="Par" inputMode="numeric" className={third} {...field('parQuantity')} />
      <TextField label="Minimum quantity" inputMode="numeric" className={third} {...field('minimumQuantity')} />
      <TextField label="Product code" autoComplete="off" className={third} {...field('productCode')} />
      <TextField label="Cost" inputMode="decimal" autoComplete="off" className={third} {...field('cost')} />
      <TextField label="Category" autoComplete="off" className={third} {...field('category')} />
      <TextField label="Brand" autoComplete="off" className={third} {...field('brand')} />
      <DayField label="Expires" empty="No day given" className={third} {...field('expirationDate')} />
    </>
  );
}

type Known = { price: string; cost: string; category: string; brand: string; expirationDate: string };

const known = (product: Product): Known => ({
  price: product.unitPrice ?? '',
  cost: product.unitCost ?? '',
  category: product.category ?? '',
  brand: product.brand ?? '',
  expirationDate: product.shelfLifeDays ? addDays(today(), product.shelfLifeDays) : '',
});

type ProductFieldProps = {
  value: string;
  error: string | undefined;
  onChange: (text: string) => void;
  onBlur: () => void;
  /** A product of the catalogue was named. */
  onChosen: (product: Product) => void;
};

const suggestions = 12;

function ProductField({ value, onChange, onChosen, ...rest }: ProductFieldProps) {
  const list = useId();
  const asked = useDeferredValue(value.trim());
  const { data: products = [] } = useQuery({
    ...queryFor(listProducts, { query: { limit: suggestions, ...(asked ? { search: asked } : {}) } }),
    placeholderData: (before) => before,
  });
  return (
    <div className="col-span-6">
      <TextField
        label="Product name"
        required
        autoComplete="off"
        list={list}
        value={value}
        onChange={(text) => {
          onChange(text);
          const found = products.find((product) => product.name === text);
          if (found) onChosen(found);
        }}
        {...rest}
      />
      <datalist id={list}>
        {products.map((product) => (
          <option key={product.id} value={product.name} />
        ))}
      </datalist>
    </div>
  );
}
