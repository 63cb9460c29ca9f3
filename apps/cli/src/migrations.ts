import { apps } from '@sluice/apps';
import { SERVICE_OF_CELLS, type ServiceWithTables, servicesWithTables } from '@sluice/contracts';
import type { RebuildTarget } from '@sluice/projections';
import { migrate, type Migration, pendingMigrations } from '@sluice/service';
import type { Answer } from './answer.js';
import { exitCodes, refused } from './exit-codes.js';
import type { Session } from './session.js';
import { appRoleOf, readerRoleOf, serviceNamed } from './settings.js';
import { textTable } from './text-table.js';

/** What a service's tables are made of; each is loaded only when it is asked for. */
async function migrationsOf(
  session: Session,
  service: ServiceWithTables,
): Promise<readonly Migration[]> {
  const names = {
    schema: session.schema(service),
    appRole: appRoleOf(session.settings, service),
  };
  const { migrations } = await apps[service]();
  if (migrations === undefined) throw new Error(`${service} declares no migrations.`);
  const { cell } = session.settings;
  return migrations({ ...names, ...(service === SERVICE_OF_CELLS && { cell }) });
}

/** What was made as one cell stays that cell: nothing else would say that the address is another's. */
async function assertCell(session: Session): Promise<void> {
  const { cell: wanted } = session.settings;
  const text = `SELECT cell FROM ${session.schema(SERVICE_OF_CELLS)}.carried_shards`;
  const owner = session.database(SERVICE_OF_CELLS, 'owner');
  const { rows } = await owner.query<{ cell: number }>(text);
  const cell = rows[0]?.cell ?? wanted;
  if (cell === wanted) return;
  throw refused(
    `PAYMENTS_OWNER_DATABASE_URL is the database of cell ${cell}, and PAYMENTS_CELL says ${wanted}: ` +
      'give it the address of its own.',
  );
}

/** Reads the names on the command line; none means all. */
export function servicesNamed(names: readonly string[]): readonly ServiceWithTables[] {
  const named = names.map(serviceNamed);
  return named.length === 0
    ? servicesWithTables
    : servicesWithTables.filter((service) => named.includes(service));
}

interface ServiceMigrations {
  readonly service: ServiceWithTables;
  readonly steps: number;
  readonly pending: readonly string[];
}

/** `migrations status`: which steps each schema has not seen. */
export async function migrationStatus(
  session: Session,
  named: readonly ServiceWithTables[],
): Promise<Answer> {
  const found: ServiceMigrations[] = [];
  for (const service of named) {
    const migrations = await migrationsOf(session, service);
    const url = session.databaseUrl(service, 'owner');
    const pending = await pendingMigrations({ url, schema: session.schema(service), migrations });
    found.push({ service, steps: migrations.length, pending });
  }
  const isPending = found.some(({ pending }) => pending.length > 0);
  return {
    data: found,
    text: textTable(
      found,
      [
        { title: 'SERVICE', cell: ({ service }) => service },
        {
          title: 'DONE',
          cell: ({ steps, pending }) => `${steps - pending.length} of ${steps}`,
          alignRight: true,
        },
        { title: 'PENDING', cell: ({ pending }) => pending.join(', ') || 'none' },
      ],
      'No services are named.',
    ),
    ...(isPending && { exitCode: exitCodes.different }),
  };
}

/** A process of reporting that is given the app role alone cannot make the tables that it feeds. */
async function ensureFirstTables(target: RebuildTarget): Promise<void> {
  const { ensureTableSet } = await import('@sluice/projections');
  const { projections } = await import('@sluice/reporting');
  for (const projection of projections) await ensureTableSet(target, projection);
}

/** Each time, because the role may be younger than the tables. */
async function letReaderSee(session: Session, service: ServiceWithTables): Promise<void> {
  const role = readerRoleOf(session.settings, service);
  if (role === undefined) return;
  const { readerGrants } = await import('@sluice/event-store');
  const pool = session.database(service, 'owner');
  for (const text of readerGrants(session.schema(service), role)) await pool.query(text);
}

/** `migrations apply`: brings the schemas up to date. */
export async function applyMigrations(
  session: Session,
  named: readonly ServiceWithTables[],
): Promise<Answer> {
  const done: { service: ServiceWithTables; applied: number }[] = [];
  for (const service of named) {
    session.throwIfInterrupted();
    const migrations = await migrationsOf(session, service);
    const url = session.databaseUrl(service, 'owner');
    const schema = session.schema(service);
    const appRole = appRoleOf(session.settings, service);
    const applied = await migrate({ url, schema, migrations, appRole });
    if (service === SERVICE_OF_CELLS) await assertCell(session);
    await letReaderSee(session, service);
    if (service === 'reporting') await ensureFirstTables({ url, schema, appRole });
    done.push({ service, applied });
  }
  const text = done
    .map(({ service, applied }) =>
      applied === 0
        ? `${service} is up to date.`
        : `${service}: ${applied} ${applied === 1 ? 'step' : 'steps'} applied.`,
    )
    .join('\n');
  return { data: done, text };
}
