import * as contract from '../../contract/products.ts';
import type { Deps } from '../deps.ts';
import { parseEditHeaders } from '../http/edit-headers.ts';
import { type Handled, handle } from '../http/handle.ts';
import { productCard } from './card.ts';
import { mergeProducts, unmergeProduct } from './merge.ts';
import { pageProducts } from './page.ts';
import { removePicture } from './pictures.ts';
import { findProductPlaces } from './places.ts';
import { addBarcode, createProduct, findProductByBarcode, listProducts, updateProduct } from './service.ts';

export function productEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.listProducts, ({ query }) => listProducts(deps, query)),
    handle(contract.pageProducts, ({ query }) => pageProducts(deps, query)),
    handle(contract.findProductByBarcode, ({ params }) => findProductByBarcode(deps, params.code)),
    handle(contract.getProduct, ({ params }) => productCard(deps, params.id)),
    handle(contract.pageProductPlaces, ({ params, query }) => findProductPlaces(deps, params.id, query)),
    handle(contract.mergeProducts, ({ caller, params, body: { merged, dryRun } }) =>
      mergeProducts(deps, caller, { keptId: params.id, mergedIds: merged, dryRun }),
    ),
    handle(contract.unmergeProduct, ({ caller, params }) => unmergeProduct(deps, caller, params.id)),
    handle(contract.createProduct, ({ caller, body }) => createProduct(deps, caller, body)),
    handle(contract.addBarcode, ({ caller, params, body }) => addBarcode(deps, caller, params.id, body.barcode)),
    handle(contract.updateProduct, ({ caller, params, body, request }) =>
      updateProduct(deps, caller, params.id, { input: body, version: parseEditHeaders(request.headers).version }),
    ),
    handle(contract.removePicture, async ({ caller, params }) => {
      await removePicture(deps, caller, params.id);
      return {};
    }),
  ];
}
