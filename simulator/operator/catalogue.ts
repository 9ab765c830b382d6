import { checkDigit } from '../../domain/product.ts';
import { fromHundredths } from '../../domain/units.ts';
import { randomOf } from '../random.ts';

export type Category =
  | 'Chips'
  | 'Crackers'
  | 'Nuts'
  | 'Bars'
  | 'Candy'
  | 'Gum'
  | 'Pastry'
  | 'Soda'
  | 'Water'
  | 'Juice'
  | 'Energy'
  | 'Tea and coffee'
  | 'Dairy'
  | 'Fresh'
  | 'Frozen'
  | 'Pharmacy';

export type Product = {
  id: number;
  name: string;
  brand: string;
  category: Category;
  /** Decimal text per unit. */
  price: string;
  cost: string;
  caseSize: number;
  packageSize: string;
  barcode: string;
};

type Row = [
  category: Category,
  brand: string,
  base: string,
  size: string,
  cents: [price: number, cost: number],
  caseSize: number,
  kinds: string,
];

// Every brand and name is invented.
const rows: readonly Row[] = [
  [
    'Chips',
    'Larkmoor',
    'Kettle Cooked Chips',
    '1.5 oz',
    [200, 82],
    24,
    'Garden Salt|Cracked Pepper|Malt Vinegar|Smoked Onion',
  ],
  ['Chips', 'Hollin Farm', 'Ridge Cut Chips', '1.75 oz', [195, 78], 30, 'Plain|Farmhouse Cheddar|Chive|Barbecue'],
  ['Chips', 'Tierra Vale', 'Corn Tortilla Chips', '1.75 oz', [195, 76], 32, 'Lightly Salted|Chili Lime|Zesty Cheese'],
  ['Chips', 'Puffington', 'Corn Puffs', '1.25 oz', [175, 64], 36, 'Cheese|Hot Cheese|Jalapeno'],
  ['Chips', 'Root & Row', 'Root Vegetable Chips', '1 oz', [225, 105], 24, 'Beet|Parsnip|Sweet Potato'],
  ['Chips', 'Popwell', 'Popcorn', '0.8 oz', [185, 66], 28, 'Butter|Kettle Sweet|Cheddar Dust'],
  ['Crackers', 'Castervale', 'Cracker Sandwiches', '1.4 oz', [125, 48], 40, 'Peanut Butter|Cheddar|Chive Cream'],
  ['Crackers', 'Castervale', 'Baked Wheat Crackers', '1.5 oz', [150, 58], 36, 'Plain|Rosemary'],
  ['Crackers', 'Knottley', 'Soft Baked Pretzels', '2 oz', [175, 70], 28, 'Salted|Cinnamon'],
  ['Crackers', 'Knottley', 'Pretzel Sticks', '2 oz', [150, 55], 32, 'Salted|Honey Mustard'],
  ['Nuts', 'Old Orchard Lane', 'Peanuts', '2.5 oz', [175, 72], 36, 'Salted|Honey Roast|Hot'],
  ['Nuts', 'Old Orchard Lane', 'Cashew Halves', '1.5 oz', [250, 130], 24, 'Salted|Black Pepper'],
  ['Nuts', 'Old Orchard Lane', 'Hiker Mix', '2 oz', [225, 102], 24, 'Berry|Cocoa|Seeds'],
  ['Nuts', 'Bramble & Rye', 'Sunflower Seeds', '1.75 oz', [150, 58], 36, 'Salted|Ranch'],
  ['Nuts', 'Fennick Dow', 'Dried Beef Bites', '1.2 oz', [325, 175], 20, 'Original|Peppered|Teriyaki'],
  ['Bars', 'Marlo Pond', 'Granola Bar', '1.5 oz', [150, 58], 40, 'Almond|Maple Pecan|Cocoa Chip'],
  ['Bars', 'Stridewell', 'Training Bar', '2.1 oz', [275, 138], 24, 'Peanut|Vanilla|Dark Cocoa|Lemon'],
  ['Bars', 'Marlo Pond', 'Fruit Bar', '1.3 oz', [160, 66], 32, 'Fig|Apple|Blueberry'],
  ['Candy', 'Quillbrook', 'Milk Chocolate Bar', '1.55 oz', [185, 84], 36, 'Plain|Hazelnut|Crisped Rice'],
  ['Candy', 'Quillbrook', 'Dark Chocolate Bar', '1.5 oz', [195, 90], 36, 'Plain|Orange|Sea Salted'],
  ['Candy', 'Ostrey', 'Caramel Wafer', '1.6 oz', [185, 80], 36, 'Classic|Double'],
  ['Candy', 'Ostrey', 'Chewy Fruits', '2 oz', [175, 70], 40, 'Citrus|Berry|Tropical'],
  ['Candy', 'Ostrey', 'Gummy Creatures', '3 oz', [195, 82], 30, 'Sweet|Tart'],
  ['Candy', 'Quillbrook', 'Peanut Clusters', '1.7 oz', [190, 86], 30, 'Milk|Dark'],
  ['Candy', 'Ostrey', 'Candy Shell Chocolate', '1.7 oz', [185, 82], 48, 'Plain|Peanut|Almond'],
  ['Gum', 'Whistle Mint', 'Chewing Gum', '15 sticks', [165, 70], 40, 'Spearmint|Peppermint|Cinnamon'],
  ['Gum', 'Whistle Mint', 'Breath Mints', '1.2 oz', [165, 68], 40, 'Wintergreen|Ginger'],
  ['Pastry', 'Pebblewick', 'Frosted Pastry', '3.6 oz', [185, 78], 24, 'Strawberry|Brown Sugar|Blueberry'],
  ['Pastry', 'Pebblewick', 'Soft Cookies', '2.5 oz', [195, 84], 24, 'Chocolate Chunk|Oatmeal Raisin|Ginger'],
  ['Pastry', 'Pebblewick', 'Iced Bun', '4 oz', [225, 98], 18, 'Cinnamon|Honey'],
  ['Pastry', 'Pebblewick', 'Mini Donuts', '3 oz', [210, 90], 20, 'Powdered|Cocoa'],
  ['Soda', 'Copper Kite', 'Cola', '20 fl oz', [225, 92], 24, 'Regular|Zero Sugar|Cherry'],
  ['Soda', 'Copper Kite', 'Lemon Soda', '20 fl oz', [225, 92], 24, 'Regular|Zero Sugar'],
  ['Soda', 'Copper Kite', 'Ginger Ale', '20 fl oz', [225, 92], 24, 'Dry|Cranberry'],
  ['Soda', 'Copper Kite', 'Orange Soda', '20 fl oz', [225, 92], 24, 'Regular'],
  ['Soda', 'Copper Kite', 'Cream Soda', '20 fl oz', [225, 94], 24, 'Vanilla|Sarsaparilla'],
  ['Water', 'Hallow Springs', 'Still Water', '20 fl oz', [175, 42], 24, 'Natural|Alkaline'],
  ['Water', 'Hallow Springs', 'Sparkling Water', '16 fl oz', [195, 62], 24, 'Plain|Grapefruit|Raspberry|Lemon'],
  ['Juice', 'Morning Gate', 'Fruit Juice', '15.2 fl oz', [250, 118], 12, 'Apple|Cranberry|Grape|Pressed Orange'],
  ['Juice', 'Tidewell', 'Sports Drink', '20 fl oz', [235, 98], 24, 'Blue|Fruit Punch|Lemon|Orange Ice'],
  ['Energy', 'Voltmere', 'Energy Drink', '16 fl oz', [350, 178], 24, 'Original|Sugar Free|Mango|Berry'],
  ['Energy', 'Voltmere', 'Energy Shot', '2 fl oz', [325, 160], 24, 'Grape|Orange'],
  ['Tea and coffee', 'Ashgrove', 'Iced Tea', '18.5 fl oz', [250, 105], 12, 'Sweet|Unsweetened|Peach|Half and Half'],
  ['Tea and coffee', 'Kiln Street', 'Iced Coffee', '13.7 fl oz', [350, 172], 12, 'Mocha|Vanilla|Black'],
  ['Dairy', 'Meadow Latch', 'Yogurt Cup', '5.3 oz', [225, 108], 12, 'Vanilla|Strawberry|Peach'],
  ['Dairy', 'Meadow Latch', 'Milk Bottle', '14 fl oz', [250, 120], 12, 'Whole|Chocolate'],
  ['Dairy', 'Meadow Latch', 'Cheese Sticks', '2 oz', [195, 88], 24, 'Mozzarella|Colby'],
  [
    'Fresh',
    'Corner Larder',
    'Sandwich',
    '8 oz',
    [575, 310],
    6,
    'Turkey Club|Ham and Brie|Egg Salad|Chicken Pesto|Hummus',
  ],
  ['Fresh', 'Corner Larder', 'Salad Bowl', '10 oz', [695, 385], 6, 'Garden|Caesar|Cobb|Grain'],
  ['Fresh', 'Corner Larder', 'Wrap', '9 oz', [625, 345], 6, 'Buffalo Chicken|Falafel|Roast Beef'],
  ['Fresh', 'Corner Larder', 'Fruit Cup', '8 oz', [395, 205], 8, 'Melon|Mixed|Grapes'],
  ['Fresh', 'Corner Larder', 'Snack Box', '6 oz', [495, 262], 8, 'Cheese and Nuts|Egg and Fruit|Hummus and Carrots'],
  ['Frozen', 'Hearth & Ladle', 'Frozen Bowl', '10 oz', [525, 268], 8, 'Pasta Bake|Chicken Rice|Bean Chili|Noodle'],
  ['Frozen', 'Hearth & Ladle', 'Frozen Burrito', '6 oz', [395, 186], 12, 'Bean|Beef|Egg'],
  ['Frozen', 'Frostwick', 'Ice Cream Bar', '3 oz', [275, 128], 24, 'Vanilla|Cookie|Mint'],
  ['Pharmacy', 'Plainwell', 'Pain Relief Tablets', '2 ct', [250, 95], 50, 'Standard|Night'],
  ['Pharmacy', 'Plainwell', 'Travel Care', '1 ct', [295, 120], 24, 'Tissues|Lip Balm|Hand Gel'],
];

/** The catalogue, the same for every seed: ids rise from 1. */
export const catalogue: readonly Product[] = build();

function build(): Product[] {
  const random = randomOf(20);
  const products: Product[] = [];
  for (const [category, brand, base, packageSize, [price, cost], caseSize, kinds] of rows) {
    for (const kind of kinds.split('|')) {
      const id = products.length + 1;
      products.push({
        id,
        name: `${base} ${kind}`,
        brand,
        category,
        price: fromHundredths(BigInt(price)),
        cost: fromHundredths(BigInt(cost + random.int(-3, 3))),
        caseSize,
        packageSize,
        barcode: barcodeOf(id),
      });
    }
  }
  return products;
}

/**
 * UPC-A beginning with 4 and EAN-13 beginning with 20: numbers that GS1 leaves to each company's own use, so that no
 * product of the real world has them.
 */
function barcodeOf(id: number): string {
  const body =
    id % 9 === 0 ? `20731${String(id).padStart(7, '0')}` : `4731${String(20_000 + id * 37).padStart(7, '0')}`;
  return `${body}${checkDigit(body)}`;
}

export function productsOf(...categories: readonly Category[]): Product[] {
  return catalogue.filter((product) => categories.includes(product.category));
}
