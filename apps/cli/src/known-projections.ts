import type { Projection } from '@sluice/projections';
import { usage } from './exit-codes.js';

/** Every projection there is; all of them are reporting's. */
export async function knownProjections(): Promise<readonly Projection[]> {
  const { projections } = await import('@sluice/reporting');
  return projections;
}

/** The projection of that name. */
export async function projectionNamed(name: string): Promise<Projection> {
  const all = await knownProjections();
  const found = all.find((projection) => projection.name === name);
  if (found !== undefined) return found;
  throw usage(
    `There is no projection "${name}"; there is: ${all.map((one) => one.name).join(', ')}.`,
  );
}
