import { at, type Random, share } from '../random.ts';
import { type Category, type Product, productsOf } from './catalogue.ts';

/** One tray of coils or row of columns; all of a tray hold the same number. */
type Tray = { coils: number; capacity: number; categories: readonly Category[] };

export type Model = { name: string; make: string; trays: readonly Tray[] };

const models: readonly (Model & { part: number })[] = [
  {
    name: 'Spiral 34',
    make: 'Varley',
    part: 36,
    trays: [
      { coils: 5, capacity: 9, categories: ['Chips'] },
      { coils: 5, capacity: 9, categories: ['Chips', 'Crackers'] },
      { coils: 6, capacity: 10, categories: ['Crackers', 'Pastry'] },
      { coils: 6, capacity: 12, categories: ['Bars', 'Nuts'] },
      { coils: 6, capacity: 14, categories: ['Candy'] },
      { coils: 6, capacity: 15, categories: ['Candy', 'Gum'] },
    ],
  },
  {
    name: 'Column 10',
    make: 'Brandt & Sohl',
    part: 30,
    trays: [
      { coils: 5, capacity: 14, categories: ['Soda', 'Water'] },
      { coils: 5, capacity: 12, categories: ['Water', 'Juice', 'Energy', 'Tea and coffee'] },
    ],
  },
  {
    name: 'Duo 25',
    make: 'Varley',
    part: 28,
    trays: [
      { coils: 5, capacity: 9, categories: ['Chips', 'Crackers'] },
      { coils: 5, capacity: 10, categories: ['Pastry', 'Bars', 'Nuts'] },
      { coils: 6, capacity: 13, categories: ['Candy', 'Gum'] },
      { coils: 5, capacity: 10, categories: ['Soda', 'Water'] },
      { coils: 4, capacity: 10, categories: ['Water', 'Juice', 'Energy'] },
    ],
  },
  // Brews from a hopper: nothing in it is counted by the piece.
  { name: 'Bean 4', make: 'Osterwald', part: 6, trays: [] },
];

export function modelFor(chance: number): Model {
  let left = chance * 100;
  for (const model of models) {
    if (left < model.part) return model;
    left -= model.part;
  }
  return at(models, 0);
}

/** A selection of a machine, before it has an id. */
export type SlotPlan = { slotNumber: string; product: Product; capacity: number; par: number; minimum: number };

/** What stands where in a machine: no product twice while its tray has others left. */
export function planogram(model: Model, random: Random): SlotPlan[] {
  const slots: SlotPlan[] = [];
  const used = new Set<number>();
  for (const [row, tray] of model.trays.entries()) {
    const range = productsOf(...tray.categories);
    for (let coil = 1; coil <= tray.coils; coil++) {
      const product = fresh(range, used, random);
      const par = random.chance(0.15) ? tray.capacity - 2 : tray.capacity;
      slots.push({
        slotNumber: `${String.fromCharCode(65 + row)}${coil}`,
        product,
        capacity: tray.capacity,
        par,
        minimum: Math.max(2, Math.round(tray.capacity * 0.2)),
      });
    }
  }
  return slots;
}

function fresh(range: readonly Product[], used: Set<number>, random: Random): Product {
  for (let tries = 0; tries < 8; tries++) {
    const product = random.pick(range);
    if (used.has(product.id)) continue;
    used.add(product.id);
    return product;
  }
  return random.pick(range);
}

/** An item on a market's shelves, before it has an id. */
export type ItemPlan = { product: Product; par: number; minimum: number };

const fewKept: ReadonlySet<Category> = new Set(['Fresh', 'Frozen', 'Dairy', 'Pharmacy']);

/** A market's assortment: 120 to 170 products of the catalogue, dear and fresh ones in small numbers. */
export function assortment(range: readonly Product[], random: Random): ItemPlan[] {
  const wanted = random.int(120, 170);
  const mark = random.int(1, 1_000_000);
  const chosen = [...range].sort((a, b) => share(mark, a.id) - share(mark, b.id)).slice(0, wanted);
  return chosen
    .sort((a, b) => a.id - b.id)
    .map((product) => {
      const minimum = fewKept.has(product.category) ? random.int(1, 3) : random.int(3, 6);
      return { product, minimum, par: minimum * 3 + random.int(0, 4) };
    });
}
