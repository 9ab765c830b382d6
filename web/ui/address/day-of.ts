/** A calendar day that the address names; null where it names none, or one that there is not. */
export function dayOf(text: string | null): string | null {
  // Databases know no year 0.
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '0001') return null;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : null;
}
