import type { Page } from '@playwright/test';

type Findings = { targets: number; small: string[]; figures: number; pale: string[] };

/** What a finger in a glove or an eye in a dark basement would miss: targets below 48 px, figures below 7:1. */
export function auditTouch(page: Page): Promise<Findings> {
  return page.evaluate(findings);
}

/** Runs in the page, so everything it needs is inside it. */
function findings(): Findings {
  const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!pen) throw new Error('no canvas to read colours with');
  const found: Findings = { targets: 0, small: [], figures: 0, pale: [] };
  const pixelOf = (colour: string): number[] => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const light = (pixel: number[]): number => {
    const [red = 0, green = 0, blue = 0] = pixel.map((part) =>
      part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundOf = (element: Element | null): number[] => {
    if (!element) return [255, 255, 255, 255];
    const pixel = pixelOf(getComputedStyle(element).backgroundColor);
    return pixel[3] === 255 ? pixel : groundOf(element.parentElement);
  };
  const isSeen = (element: Element): boolean =>
    element.getBoundingClientRect().width > 0 &&
    getComputedStyle(element).visibility !== 'hidden' &&
    !element.closest('.sr-only, [inert]');

  for (const element of document.querySelectorAll(
    'button, a[href], summary, input:not([type=file]), select, textarea',
  )) {
    if (!isSeen(element)) continue;
    found.targets += 1;
    const touched = [element, element.closest('label') ?? element].map((one) => one.getBoundingClientRect());
    const width = Math.max(...touched.map((box) => box.width));
    const height = Math.max(...touched.map((box) => box.height));
    const name = element.getAttribute('aria-label') ?? element.textContent;
    if (Math.min(width, height) < 47.5) found.small.push(`${name}: ${width} x ${height}`);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode.textContent ?? '';
    const element = texts.currentNode.parentElement;
    if (!/\d/.test(text) || !element || !isSeen(element) || element.closest('[disabled]')) continue;
    found.figures += 1;
    const both = [light(pixelOf(getComputedStyle(element).color)), light(groundOf(element))];
    const contrast = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    if (contrast < 7) found.pale.push(`${text.trim()}: ${contrast.toFixed(2)}`);
  }
  return found;
}
