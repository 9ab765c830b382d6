/** Calls back when light and dark change, by the switch on the page or by the system. Returns the way to stop. */
export function onThemeChange(changed: () => void): () => void {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const page = new MutationObserver(changed);
  page.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] });
  system.addEventListener('change', changed);
  return () => {
    page.disconnect();
    system.removeEventListener('change', changed);
  };
}

/** Reads colours from the design tokens as plain rgb, which the map can parse; `light-dark()` is resolved by the browser. */
export function readColours<Name extends string>(within: HTMLElement, tokens: readonly Name[]): Record<Name, string> {
  const probe = document.createElement('span');
  probe.hidden = true;
  within.append(probe);
  const found = tokens.map((token) => {
    probe.style.color = `var(${token})`;
    return [token, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(found) as Record<Name, string>;
}
