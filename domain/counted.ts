/** '1 balance differs', '1,200 balances differ': the number, and the words that go with one or with many. */
export const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
