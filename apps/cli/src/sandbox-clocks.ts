import { EntityClock, noSetClocks, type SetClocks } from '@sluice/service';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failed } from './exit-codes.js';
import type { Session } from './session.js';

/** Its name in the data folder of a sandbox, which alone has one (page 0078). */
const CLOCKS_FILE = 'clocks.json';

/** What time it is for whom: what an operator records is dated as the services would date it. */
export function entityClockOf(session: Session): EntityClock {
  const { sandboxFolder } = session;
  const clocks = sandboxFolder === undefined ? noSetClocks : clocksIn(sandboxFolder);
  return new EntityClock({ now: () => session.now() }, clocks);
}

/** Without the file all follow the machine's. @throws CommandEnded */
function clocksIn(folder: string): SetClocks {
  const path = join(folder, CLOCKS_FILE);
  try {
    const ahead = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, number>>;
    const clocks = new Map(Object.entries(ahead));
    return { aheadMs: (entityId) => clocks.get(entityId) ?? 0, all: () => clocks };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return noSetClocks;
    throw failed(`${path} cannot be read: ${(error as Error).message}`);
  }
}
