import { AppError } from '../../domain/errors.ts';

/** For calls whose settings are fields of their own: what is wrong with one is told under its own name. */
export async function flatErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || !error.fields) throw error;
    const fields = Object.entries(error.fields).map(([name, told]) => [name.replace(/^settings\./, ''), told]);
    throw new AppError(error.code, error.message, { fields: Object.fromEntries(fields) });
  }
}
