import { at, hash } from '../random.ts';

export type Person = {
  id: number;
  email: string;
  phoneNumber: string | null;
  firstName: string;
  lastName: string;
  role: 'admin' | 'route_manager' | 'field_worker';
  designation: string | null;
};

const firstNames =
  'Aaron|Bianca|Cedric|Daria|Elias|Fatima|Gideon|Hanna|Isaac|Jolene|Kwame|Leila|Mateo|Nadine|Omar|Paula|Quincy|Rosa|Stefan|Tamika|Ulrich|Valerie|Wendell|Ximena|Yusuf|Zora'.split(
    '|',
  );
const lastNames =
  'Abbott|Barrow|Castellan|Dietz|Ekwueme|Farrow|Gallo|Hutchins|Ibarra|Jessup|Kowalczyk|Lundgren|Marchetti|Ndiaye|Ortega|Prescott|Quigley|Rosario|Sandoval|Tran|Underhill|Vasquez|Whitlock|Xiong|Yoder|Zielke'.split(
    '|',
  );

/** Names of the people who sign in to the demo by hand. */
const named: Record<string, [first: string, last: string]> = {
  '101': ['Tamika', 'Whitlock'],
  '202': ['Stefan', 'Gallo'],
  '505': ['Leila', 'Sandoval'],
};

/** An administrator, a manager and a driver for each designation; the same for every seed. */
export function planPeople(designations: readonly string[]): Person[] {
  const office: Person[] = [
    {
      id: 1,
      email: 'admin@demo.milkrun.local',
      phoneNumber: phone(1),
      firstName: 'Nadine',
      lastName: 'Prescott',
      role: 'admin',
      designation: null,
    },
    {
      id: 2,
      email: 'manager@demo.milkrun.local',
      phoneNumber: phone(2),
      firstName: 'Wendell',
      lastName: 'Ortega',
      role: 'route_manager',
      designation: null,
    },
  ];
  const drivers = designations.map((designation, index): Person => {
    const mark = hash(Number(designation), 5);
    const drawn = [at(firstNames, mark % 26), at(lastNames, (mark >>> 8) % 26)] as const;
    const [firstName, lastName] = named[designation] ?? drawn;
    const id = index + 3;
    const email = `driver${designation}@demo.milkrun.local`;
    return { id, email, phoneNumber: phone(id), firstName, lastName, role: 'field_worker', designation };
  });
  return [...office, ...drivers];
}

/** Numbers 555-0100 to 555-0199 belong to nobody; there are no more of them. */
function phone(id: number): string | null {
  return id < 100 ? `+1215555${String(100 + id).padStart(4, '0')}` : null;
}
