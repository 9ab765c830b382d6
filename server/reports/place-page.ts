import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { containsWord, wordsOf } from '../db/statements/like.ts';
import { findPage, type Order, type Page } from '../db/statements/paging.ts';
import { machineSays } from '../machines/service.ts';
import {
  allFigures,
  findPlacesOf,
  idOfPlace,
  isOneOf,
  type Markets,
  type PlaceRef,
  sumsOfPlaces,
  typeOfPlace,
} from './place-sums.ts';
import type { Figure } from './stretches.ts';
import { emptyShare, type PageWish, type Rest, restLine, type TradeRow, type Wish } from './wish.ts';

/** What places are sorted by, and which figures that takes: of all places no other is read. */
type PlaceOrder = Pick<Order, 'value' | 'type'> & { figures: readonly Figure[] };

const bySales: PlaceOrder = { value: sql`g.amount`, type: 'numeric', figures: ['amount'] };
const orders: Record<string, PlaceOrder> = {
  name: { value: sql`lower(g.name)`, type: 'text', figures: [] },
  units: { value: sql`g.units`, type: 'bigint', figures: ['units'] },
  change: {
    value: sql`round(coalesce((g.amount - g.before) / nullif(abs(g.before), 0), 0), 6)`,
    type: 'numeric',
    figures: ['amount', 'before'],
  },
  margin: { value: sql`coalesce(g.costed - g.cost, 0)`, type: 'numeric', figures: ['cost'] },
  out: { value: sql`round(coalesce(g.share, -1)::numeric, 9)`, type: 'numeric', figures: ['empty'] },
};

/** Lines that are no place, under numbers that no place has. */
const lines = {
  0: { key: 'markets', label: 'All micro markets' },
  [-1]: restLine,
};

const named = sql`(select g.*, case g.place when 0 then ${lines[0].label} when -1 then ${lines[-1].label}
    else coalesce(v.name, k.name) end as name
  from g left join vending_machines v on g.place > 0 and g.place % 2 = 1 and v.id = ${idOfPlace(sql`g.place`)}
  left join markets k on g.place > 0 and g.place % 2 = 0 and k.id = ${idOfPlace(sql`g.place`)}) g`;

/** `of`: the places of the route that is asked for, or null for all. */
type Wanted = { markets: Markets; words: readonly string[]; rest: Rest | null; of: readonly PlaceRef[] | null };
export type PlaceWish = PageWish & Pick<Wanted, 'markets' | 'rest'>;

/**
 * A page of places with what each sold; those with neither sales nor stock are left out. All places are put in order by what they
 * are sorted by, and the other figures are read of the page alone.
 */
export async function findPlacePage(db: Db, wish: Wish, asked: PlaceWish): Promise<Page<TradeRow>> {
  const { sort, search, page, limit, markets, rest } = asked;
  const down = sort.startsWith('-');
  const name = down ? sort.slice(1) : sort;
  const { figures, ...order } = orders[name] ?? bySales;
  const of = wish.route === null ? null : await findPlacesOf(db, wish.route);
  const common = await orderedPlaces(db, wish, { figures, markets, rest, of, words: wordsOf(search) });
  const found = await findPage<{ place: number }>(db, {
    common,
    fields: sql`g.place`,
    source: name === 'name' ? named : sql`g`,
    condition: sql`true`,
    order: { name, down, id: sql`g.place`, ...order },
    page,
    limit,
    total: sql`select count(*)::int from g`,
  });
  const places = found.rows.map(({ place }) => place);
  const known = await findLines(db, wish, { places, markets, rest, of });
  return { ...found, rows: places.flatMap((place) => known.get(place) ?? []) };
}

/** All that is told of, with the figures it is sorted by. */
async function orderedPlaces(db: Db, wish: Wish, asked: Wanted & { figures: readonly Figure[] }): Promise<SQL> {
  const { figures, markets, words, rest, of } = asked;
  const called =
    words.length === 0 ? sql`true` : sql`(d.location_type, d.location_id) in (select w.type, w.id from wanted w)`;
  const only = of ? sql`${called} and ${isOneOf(of)}` : called;
  const bare = await findBareSellers(db, wish, { markets, of });
  const hasSold =
    bare === 'many'
      ? sql`o.units <> 0 or o.amount <> 0 or o.before <> 0`
      : sql`o.place in (select value::bigint from jsonb_array_elements_text(${JSON.stringify(bare)}::jsonb))`;
  const read = bare === 'many' ? [...new Set([...figures, ...soldFigures])] : figures;
  const columns = sql.join([sql`o.place`, ...figures.map((figure) => columnsOf[figure])], sql`, `);
  const share = figures.includes('empty') ? emptyShare(wish, sql`o.empty`, sql`o.places`) : sql`null::float8`;
  return sql`with ${words.length === 0 ? sql`` : sql`wanted as materialized (${placesCalled(words, markets)}),`} g as materialized (
    select ${columns}, ${share} as share from ${sumsOfPlaces(wish, { only, markets, figures: read })} o
    where o.places > 0 or ${hasSold}
    ${rest ? restRow(rest, { figures, words }) : sql``})`;
}

const columnsOf: Record<Figure, SQL> = {
  units: sql`o.units`,
  amount: sql`o.amount`,
  before: sql`o.before`,
  cost: sql`o.cost, o.costed`,
  empty: sql`o.empty`,
};

function restRow(
  { units, amount, amountBefore }: Rest,
  { figures, words }: { figures: readonly Figure[]; words: readonly string[] },
): SQL {
  const values: Record<Figure, SQL> = {
    units: sql`${units}::int`,
    amount: sql`${amount}::numeric`,
    before: sql`${amountBefore}::numeric`,
    cost: sql`0, 0`,
    empty: sql`null`,
  };
  return sql`union all select ${sql.join([sql`-1`, ...figures.map((figure) => values[figure])], sql`, `)}, null
    where ${isCalled(lines[-1].label, words)}`;
}

const isCalled = (label: string, words: readonly string[]): SQL =>
  sql.join([sql`true`, ...words.map((word) => containsWord(sql`plain_text(${label}::text)`, word))], sql` and `);

/** What is searched for among places. */
function placesCalled(words: readonly string[], markets: Markets): SQL {
  const isMachine = sql.join(
    words.map((word) => machineSays(sql`v.id`, word)),
    sql` and `,
  );
  const says = words.map((word) => containsWord(sql`k.search_text`, word));
  const isMarket = markets === 'together' ? isCalled(lines[0].label, words) : sql.join(says, sql` and `);
  return sql`select 'vending_machine' as type, v.id from vending_machines v where ${isMachine}
    union all select 'market', k.id from markets k where ${isMarket}`;
}

const soldFigures: readonly Figure[] = ['units', 'amount', 'before'];
/** As many places are looked up one by one. */
const fewBare = 500;

/**
 * Places without items that sold in these days or in those before them. Mostly they are few: what is gone, and what stands empty of
 * products. They are many where sales were imported and planograms were not: then what each sold is read of all.
 */
async function findBareSellers(
  db: Db,
  wish: Wish,
  { markets, of }: Pick<Wanted, 'markets' | 'of'>,
): Promise<readonly number[] | 'many'> {
  const bare = await rows<PlaceRef>(
    db,
    sql`select location_type as type, location_id as id from place_days d
        where d.day = '-infinity' and d.items = 0 and ${of ? isOneOf(of) : sql`true`} limit ${fewBare + 1}`,
  );
  if (bare.length === 0) return [];
  if (bare.length > fewBare) return 'many';
  const sums = sumsOfPlaces(wish, { only: isOneOf(bare), markets, figures: soldFigures });
  const sold = await rows<{ place: number }>(
    db,
    sql`select s.place from ${sums} s where s.units <> 0 or s.amount <> 0 or s.before <> 0`,
  );
  return sold.map(({ place }) => place);
}

type Lines = Omit<Wanted, 'words'> & { places: readonly number[] };

/** All figures of the lines of a page. */
async function findLines(db: Db, wish: Wish, { places, markets, rest, of }: Lines): Promise<Map<number, TradeRow>> {
  const single = places.filter((place) => place > 0);
  const refs = single.map(
    (place): PlaceRef => ({ type: place % 2 === 1 ? 'vending_machine' : 'market', id: Math.floor(place / 2) }),
  );
  const found = [
    ...(refs.length > 0 ? await findFigures(db, wish, { only: isOneOf(refs), markets: 'apart' }) : []),
    ...(places.includes(0) ? await findFigures(db, wish, { only: marketsOf(of), markets }) : []),
  ];
  const known = new Map(found.map(({ place, ...row }) => [place, row]));
  if (rest)
    known.set(-1, { ...rest, ...noPlace, ...lines[-1], margin: '0.00', costedAmount: '0.00', soldOutShare: null });
  return known;
}

const marketsOf = (of: Wanted['of']): SQL =>
  of ? isOneOf(of.filter(({ type }) => type === 'market')) : sql`d.location_type = 'market'`;

const noPlace = { locationType: null, locationId: null };

function findFigures(db: Db, wish: Wish, { only, markets }: { only: SQL; markets: Markets }) {
  const ofPlace = (value: SQL): SQL => sql`case when s.place > 0 then ${value} end`;
  const money = (value: SQL): SQL => sql`${value}::numeric(14, 2)::text`;
  return rows<TradeRow & { place: number }>(
    db,
    sql`select s.place, case when s.place = 0 then ${lines[0].key} else ${typeOfPlace(sql`s.place`)} || ':' || ${idOfPlace(sql`s.place`)} end as key,
               case when s.place = 0 then ${lines[0].label} else coalesce(v.name, k.name) end as label,
               ${ofPlace(typeOfPlace(sql`s.place`))} as "locationType", ${ofPlace(idOfPlace(sql`s.place`))} as "locationId",
               s.units::int as units, ${money(sql`s.amount`)} as amount, ${money(sql`s.before`)} as "amountBefore",
               ${money(sql`coalesce(s.costed - s.cost, 0)`)} as margin, ${money(sql`coalesce(s.costed, 0)`)} as "costedAmount",
               ${emptyShare(wish, sql`s.empty`, sql`s.places`)} as "soldOutShare"
        from ${sumsOfPlaces(wish, { only, markets, figures: allFigures })} s
        left join vending_machines v on s.place > 0 and s.place % 2 = 1 and v.id = ${idOfPlace(sql`s.place`)}
        left join markets k on s.place > 0 and s.place % 2 = 0 and k.id = ${idOfPlace(sql`s.place`)}`,
  );
}
