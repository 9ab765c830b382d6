import type { Product } from '../../contract/products.ts';
import { type ProductTyped, typedProduct } from '../../domain/product-form.ts';
import type { Labels } from '../ui/forms/edit-conflict.tsx';
import { useForm } from '../ui/forms/form.ts';
import { RecordDialog } from '../ui/forms/record-dialog.tsx';
import { TextArea, TextField } from '../ui/forms/text-field.tsx';
import { useRebase } from '../ui/forms/use-rebase.ts';
import { loadProduct, useSaveProduct } from './api.ts';

const fresh: ProductTyped = {
  ...{ name: '', brand: '', category: '', unitPrice: '', unitCost: '', caseSize: '', shelfLifeDays: '', barcodes: '' },
};

function typedOf(product: Product): ProductTyped {
  const { name, brand, category, unitPrice, unitCost, caseSize, shelfLifeDays, barcodes } = product;
  return {
    ...{ name, brand: brand ?? '', category: category ?? '', unitPrice: unitPrice ?? '', unitCost: unitCost ?? '' },
    caseSize: caseSize === null ? '' : String(caseSize),
    shelfLifeDays: shelfLifeDays ? String(shelfLifeDays) : '',
    barcodes: barcodes.join('\n'),
  };
}

const labels: Labels<ProductTyped> = {
  ...{ name: 'Product name', brand: 'Brand', category: 'Category', unitPrice: 'Unit price', unitCost: 'Unit cost' },
  ...{ caseSize: 'Case size', shelfLifeDays: 'Shelf life', barcodes: 'Barcodes' },
};

type Props = { product: Product | null; onClose: () => void };

/** Adds a product, or completes one that began as a name in a form. Mount it to open it. */
export function ProductForm({ product, onClose }: Props) {
  const { base, conflict, rebase, take } = useRebase(product, {
    valuesOf: typedOf,
    labels,
    loadNewest: (one) => loadProduct(one.id),
  });
  const save = useSaveProduct(base);
  const form = useForm({
    schema: typedProduct,
    initial: product ? typedOf(product) : fresh,
    draftKey: product ? `product-${product.id}-${product.version ?? product.updatedAt}` : 'product-new',
    onSubmit: async (input) => {
      try {
        await save.mutateAsync(input);
      } catch (error) {
        await rebase(error, form);
        throw error;
      }
      onClose();
    },
  });
  const { field } = form;
  return (
    <RecordDialog
      noun="Product"
      name={product?.name}
      form={form}
      conflict={conflict}
      onTake={(change) => take(change, form)}
      onClose={onClose}
    >
      <TextField className="col-span-2" label="Product name" required {...field('name')} />
      <TextField label="Brand" {...field('brand')} />
      <TextField label="Category" {...field('category')} />
      <TextField label="Unit price" inputMode="decimal" {...field('unitPrice')} />
      <TextField label="Unit cost" inputMode="decimal" hint="For value and margin" {...field('unitCost')} />
      <TextField label="Case size" unit="units" inputMode="numeric" {...field('caseSize')} />
      <TextField
        label="Shelf life"
        unit="days"
        inputMode="numeric"
        hint="Dates what is filled in"
        {...field('shelfLifeDays')}
      />
      <TextArea className="col-span-2" label="Barcodes, one a line" rows={3} {...field('barcodes')} />
    </RecordDialog>
  );
}
