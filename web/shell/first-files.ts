type ModuleInfo = { importedIds: readonly string[] } | null;
type Context = { getModuleInfo: (id: string) => ModuleInfo };

/** What every visit loads, and what most screens of the office share with the one they open with: two files instead of forty. */
const files = [
  { name: 'base', from: '/web/main.tsx', own: null },
  { name: 'parts', from: '/web/dashboard/dashboard-screen.tsx', own: '/web/dashboard/' },
] as const;

/**
 * Names the file that a module goes into; null leaves it to the bundler, which makes a file of each few modules that the same screens
 * share. Each of them is compressed by itself and asked for by itself.
 */
export function firstFiles(root: string): (id: string, context: Context) => string | null {
  let named: Map<string, string> | undefined;
  return (id, context) => {
    named ??= namesOf(root, context);
    return named.get(id) ?? null;
  };
}

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
