type ModuleInfo = { importedIds: readonly string[] } | null;
type Context = { getModuleInfo: (id: string) => ModuleInfo };

/**
 * What every visit loads, and what most screens of the office share with the one they open with: a few files instead of forty. Libraries
 * are a file of their own, which an update of ours leaves as it is.
 */
const files = [
  { name: 'base', from: '/web/main.tsx', own: null },
  { name: 'parts', from: '/web/dashboard/dashboard-screen.tsx', own: '/web/dashboard/' },
] as const;

type Group = { name: (id: string, context: Context) => string | null; priority: number };

/**
 * Groups of modules for the bundler, which by itself makes a file of each few modules that the same screens share: each is compressed by
 * itself and asked for by itself.
 */
export function firstFiles(root: string): Group[] {
  let named: Map<string, string> | undefined;
  const nameOf = (id: string, context: Context): string | null => {
    named ??= namesOf(root, context);
    return named.get(id) ?? null;
  };
  return [
    // Before the others, which else would take along what they import.
    { name: (id, context) => (nameOf(id, context) && isLibrary(id) ? 'libraries' : null), priority: 1 },
    { name: nameOf, priority: 0 },
  ];
}

const isLibrary = (id: string): boolean => id.includes('/node_modules/');

function namesOf(root: string, context: Context): Map<string, string> {
  const named = new Map<string, string>();
  for (const { name, from, own } of files) {
    const next = [`${root}${from}`];
    const seen = new Set(next);
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      for (const one of context.getModuleInfo(id)?.importedIds ?? []) {
        if (seen.has(one)) continue;
        seen.add(one);
        next.push(one);
      }
    }
    for (const id of seen) if (!named.has(id) && !(own && id.includes(own))) named.set(id, name);
  }
  return named;
}
