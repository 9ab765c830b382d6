// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { dropSecondTaps } from './second-tap.ts';

let stop = (): void => {};
let atMs = 0;
afterEach(() => {
  stop();
  vi.restoreAllMocks();
  document.body.innerHTML = '';
});

/** A button of 200 by 50 pixels at the corner, and what it is pressed for. */
function button(label: string, work: () => void, parent: Element = document.body): HTMLButtonElement {
  const made = document.createElement('button');
  made.textContent = label;
  made.onclick = work;
  made.getBoundingClientRect = () => new DOMRect(0, 0, 200, 50);
  parent.append(made);
  return made;
}

type Press = { after?: number; x?: number; detail?: number; pointerType?: string };

function press(target: Element, { after = 0, x = 20, detail = 1, pointerType = 'touch' }: Press = {}): boolean {
  atMs += after;
  const at = { bubbles: true, cancelable: true, clientX: x, clientY: 20 };
  return target.dispatchEvent(new PointerEvent('click', { ...at, detail, pointerType }));
}

/** Pressed, it goes, and another comes in its place. */
function steps() {
  const done: string[] = [];
  atMs = 1_000;
  stop = dropSecondTaps(() => atMs);
  const arrive = button('Arrive', () => {
    done.push('arrive');
    arrive.remove();
    button('Complete', () => done.push('complete'));
  });
  press(arrive);
  const complete = document.querySelector('button') as HTMLButtonElement;
  return { done, complete };
}

test('the second tap of a double tap presses nothing that came in the place of the first, and no link there leads away', () => {
  const { done, complete } = steps();
  expect(press(complete, { after: 250 })).toBe(false);
  expect(done).toEqual(['arrive']);
  press(complete, { after: 400 });
  expect(done).toEqual(['arrive', 'complete']);
});

test('the second click of a mouse that clicks twice presses nothing that came either', () => {
  const { done, complete } = steps();
  expect(press(complete, { after: 250, detail: 2, pointerType: 'mouse' })).toBe(false);
  expect(done).toEqual(['arrive']);
});

test.each<[string, Press]>([
  ['in another place', { after: 100, x: 300 }],
  ['by a key', { after: 100, detail: 0 }],
  ['by a mouse, as the first of its clicks', { after: 100, pointerType: 'mouse' }],
  ['once it may be meant', { after: 500 }],
])('what came is pressed %s', (_title, how) => {
  const { done, complete } = steps();
  press(complete, how);
  expect(done).toEqual(['arrive', 'complete']);
});

test('what still stands where it was takes every tap, unless something lies over it by now', () => {
  let pressed = 0;
  stop = dropSecondTaps(() => atMs);
  const more = button('One more', () => {
    pressed += 1;
  });
  const onTop = vi.spyOn(document, 'elementFromPoint').mockReturnValue(more);
  press(more);
  press(more, { after: 80 });
  press(more, { after: 80 });
  expect(pressed).toBe(3);
  let answered = 0;
  const answer = button('Yes', () => {
    answered += 1;
  });
  onTop.mockReturnValue(answer);
  press(answer, { after: 80 });
  expect(answered).toBe(0);
});

test('what says that it is the same again takes every tap', () => {
  let at = 1;
  stop = dropSecondTaps(() => atMs);
  const next = (): void => {
    document.body.innerHTML = '';
    at += 1;
    button(`Slot ${at}`, next).dataset.again = '';
  };
  press(button('Slot 1', next));
  press(document.querySelector('button') as Element, { after: 80 });
  expect(at).toBe(3);
});
