import { bookkeepingStatements } from '@sluice/projections';
import type { Migration } from '@sluice/service';

/** The tables of reporting, for the owner role to make; table sets come and go beside them. */
export function migrations(names: {
  readonly schema: string;
  readonly appRole: string;
}): readonly Migration[] {
  const { schema, appRole } = names;
  return [
    {
      name: 'reporting-1',
      statements: [...bookkeepingStatements({ schema, appRole })],
    },
  ];
}
