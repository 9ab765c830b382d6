/** (XXX) XXX-XXXX once there are exactly ten digits; anything else stays as typed. */
export function formatPhone(typed: string): string {
  const digits = typed.replace(/\D/g, '');
  if (digits.length !== 10) return typed;
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`;
}
