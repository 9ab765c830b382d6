/**
 * Text left empty in a form means 'none': stored as null, so that two empty values never meet in a unique column.
 * Required texts are never empty here; their schema refused that already.
 */
export function blanksToNull<T extends object>(fields: T): T {
  // Only values that may be null anyway change; the type stays true.
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value === '' ? null : value])) as T;
}
