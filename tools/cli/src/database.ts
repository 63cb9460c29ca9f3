import { DatabaseAccessError, ensureGivenRoles, type GivenRole } from '@sluice/service';
import type { Answer } from './answer.js';
import { failed, usage } from './exit-codes.js';
import type { Session } from './session.js';
import { adminDatabaseUrl, type Role, type Service } from './settings.js';

/**
 * `database prepare`: makes the roles that the services' addresses name, and their schemas. The
 * addresses are the one place where a password stands; migrations follow.
 */
export async function prepareDatabase(
  session: Session,
  named: readonly Service[],
): Promise<Answer> {
  const adminUrl = adminDatabaseUrl(session.settings);
  const services = named.map((service) => ({
    schema: session.schema(service),
    owner: roleOf(session, service, 'owner', adminUrl),
    app: roleOf(session, service, 'app', adminUrl),
  }));
  await ensureGivenRoles(adminUrl, services).catch((error: unknown) => {
    throw error instanceof DatabaseAccessError ? failed(error.message) : error;
  });
  const prepared = services.map(({ schema, owner, app }) => ({
    schema,
    ownerRole: owner.name,
    appRole: app.name,
  }));
  return {
    data: prepared,
    text: prepared
      .map(
        ({ schema, ownerRole, appRole }) => `${schema}: ${ownerRole} owns it, ${appRole} uses it.`,
      )
      .join('\n'),
  };
}

function roleOf(session: Session, service: Service, role: Role, adminUrl: string): GivenRole {
  const { username, password, pathname } = new URL(session.databaseUrl(service, role));
  const whose = `The address of ${service}'s database for the ${role} role`;
  if (username === '' || password === '') throw usage(`${whose} lacks a user or a password.`);
  if (pathname !== new URL(adminUrl).pathname) {
    throw usage(`${whose} names another database than the administrator's.`);
  }
  return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
}
