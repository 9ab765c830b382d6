import * as contract from '../../contract/products.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { createProduct, findProductByBarcode, listProducts, updateProduct } from './service.ts';

export function productEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.listProducts, ({ query }) => listProducts(deps, query)),
    handle(contract.findProductByBarcode, ({ params }) => findProductByBarcode(deps, params.code)),
    handle(contract.createProduct, ({ caller, body }) => createProduct(deps, caller, body)),
    handle(contract.updateProduct, ({ caller, params, body }) => updateProduct(deps, caller, params.id, body)),
  ];
}
