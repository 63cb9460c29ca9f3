import type { ServiceWithTables } from '@sluice/contracts';
import { DatabaseAccessError, ensureGivenRoles, type GivenRole } from '@sluice/service';
import type { Answer } from './answer.js';
import { failed, usage } from './exit-codes.js';
import type { Session } from './session.js';
import { adminDatabaseUrl, readerRoleOf, readerUrlsOf, type Role } from './settings.js';

/**
 * `database prepare`: makes the roles that the services' addresses name, and their schemas. The
 * addresses are the one place where a password stands; migrations follow.
 */
export async function prepareDatabase(
  session: Session,
  named: readonly ServiceWithTables[],
): Promise<Answer> {
  const adminUrl = adminDatabaseUrl(session.settings);
  const services = named.map((service) => {
    const reader = readerOf(session, service, adminUrl);
    return {
      schema: session.schema(service),
      owner: roleOf(session, service, 'owner', adminUrl),
      app: roleOf(session, service, 'app', adminUrl),
      ...(reader !== undefined && { reader }),
    };
  });
  await ensureGivenRoles(adminUrl, services).catch((error: unknown) => {
    throw error instanceof DatabaseAccessError ? failed(error.message) : error;
  });
  const prepared = services.map(({ schema, owner, app, reader }) => ({
    schema,
    ownerRole: owner.name,
    appRole: app.name,
    ...(reader !== undefined && { readerRole: reader.name }),
  }));
  return {
    data: prepared,
    text: prepared
      .map(
        ({ schema, ownerRole, appRole, readerRole }) =>
          `${schema}: ${ownerRole} owns it, ${appRole} uses it` +
          (readerRole === undefined ? '.' : `, ${readerRole} reads its events.`),
      )
      .join('\n'),
  };
}

function roleOf(
  session: Session,
  service: ServiceWithTables,
  role: Role,
  adminUrl: string,
): GivenRole {
  const whose = `The address of ${service}'s database for the ${role} role`;
  return roleIn(session.databaseUrl(service, role), whose, adminUrl);
}

/** Migrations grant to it; here it is only made. */
function readerOf(
  { settings }: Session,
  service: ServiceWithTables,
  adminUrl: string,
): GivenRole | undefined {
  const [url] = readerUrlsOf(settings, service);
  if (url === undefined || readerRoleOf(settings, service) === undefined) return undefined;
  return roleIn(url, `The address of ${service}'s database for the reader role`, adminUrl);
}

function roleIn(url: string, whose: string, adminUrl: string): GivenRole {
  const { username, password, pathname } = new URL(url);
  if (username === '' || password === '') throw usage(`${whose} lacks a user or a password.`);
  if (pathname !== new URL(adminUrl).pathname) {
    throw usage(`${whose} names another database than the administrator's.`);
  }
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}
