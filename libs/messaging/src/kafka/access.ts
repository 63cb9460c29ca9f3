import {
  FIRST_CELL,
  type KafkaAccessRule,
  kafkaAccessRules,
  kafkaClients,
  type KafkaClientName,
  type KafkaOperation,
} from '@sluice/contracts';
import type { AclEntry, Admin } from 'kafkajs';
import { causeOf } from './kafka-client.js';
import { loadedKafkajs } from './kafkajs.js';

/** Our words by the names that kafkajs has for them. */
const operationTypes = {
  Read: 'READ',
  Write: 'WRITE',
  Describe: 'DESCRIBE',
  DescribeConfigs: 'DESCRIBE_CONFIGS',
} as const satisfies Readonly<Record<KafkaOperation, string>>;
const resourceTypes = { topic: 'TOPIC', group: 'GROUP' } as const;
const patternTypes = { literal: 'LITERAL', prefix: 'PREFIXED' } as const;
/** From any host, because addresses of pods change. */
const ANY_HOST = '*';

/** What was done with the access rules, and what a person has to decide. */
export interface AppliedAccess {
  /** One phrase per rule that is there now and was not before. */
  readonly granted: readonly string[];
  /** One sentence per right that a service has but does not need; it is not removed. */
  readonly differences: readonly string[];
}

/** The broker lets everybody do everything, so rules would have no effect. */
export class AccessNotChecked extends Error {
  override readonly name = 'AccessNotChecked';
}

/**
 * Creates the missing access rules of every service, for so many cells of payments. It removes none, because rolling back to an
 * older release must not stop a newer one. Throws AccessNotChecked.
 */
export async function applyAccess(
  admin: Admin,
  prefix = '',
  cells = FIRST_CELL,
): Promise<AppliedAccess> {
  const granted: string[] = [];
  const differences: string[] = [];
  for (const client of kafkaClients) {
    const declared = entriesOf(client, kafkaAccessRules(client, prefix, cells));
    const present = await presentEntries(admin, client);
    const missing = without(declared, present);
    if (missing.length > 0) await admin.createAcls({ acl: missing });
    granted.push(...missing.map(phrase));
    differences.push(...without(present, declared).map((entry) => `${phrase(entry)} without need`));
  }
  return { granted, differences };
}

function entriesOf(client: KafkaClientName, rules: readonly KafkaAccessRule[]): AclEntry[] {
  const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } =
    loadedKafkajs();
  return rules.flatMap(({ resource, name, pattern, operations }) =>
    operations.map((operation) => ({
      principal: principalOf(client),
      host: ANY_HOST,
      operation: AclOperationTypes[operationTypes[operation]],
      permissionType: AclPermissionTypes.ALLOW,
      resourceType: AclResourceTypes[resourceTypes[resource]],
      resourceName: name,
      resourcePatternType: ResourcePatternTypes[patternTypes[pattern]],
    })),
  );
}

/** As the broker derives it from a certificate's common name (`ssl.principal.mapping.rules`). */
function principalOf(client: KafkaClientName): string {
  return `User:${client}`;
}

async function presentEntries(admin: Admin, client: KafkaClientName): Promise<AclEntry[]> {
  const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } =
    loadedKafkajs();
  try {
    const { resources } = await admin.describeAcls({
      principal: principalOf(client),
      resourceType: AclResourceTypes.ANY,
      resourcePatternType: ResourcePatternTypes.ANY,
      operation: AclOperationTypes.ANY,
      permissionType: AclPermissionTypes.ANY,
    });
    return resources.flatMap(({ acls, ...resource }) =>
      acls.map((acl) => ({ ...acl, ...resource })),
    );
  } catch (error) {
    if (causeOf(error).type !== 'SECURITY_DISABLED') throw error;
    throw new AccessNotChecked('The broker has no authorizer: everybody may do everything there.');
  }
}

function without(entries: readonly AclEntry[], others: readonly AclEntry[]): AclEntry[] {
  const known = new Set(others.map(identity));
  return entries.filter((entry) => !known.has(identity(entry)));
}

function identity(entry: AclEntry): string {
  const { principal, host, operation, permissionType } = entry;
  const { resourceType, resourceName, resourcePatternType } = entry;
  return JSON.stringify([
    ...[principal, host, operation, permissionType],
    ...[resourceType, resourceName, resourcePatternType],
  ]);
}

function phrase(entry: AclEntry): string {
  const { principal, operation, permissionType, resourceType, resourceName } = entry;
  const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } =
    loadedKafkajs();
  const does = permissionType === AclPermissionTypes.DENY ? 'may not' : 'may';
  const what = nameIn(AclOperationTypes, operation);
  const where = nameIn(AclResourceTypes, resourceType);
  const star = entry.resourcePatternType === ResourcePatternTypes.PREFIXED ? '*' : '';
  return `${principal} ${does} ${what} ${where} ${resourceName}${star}`;
}

function nameIn(types: Readonly<Record<string, string | number>>, value: number): string {
  const found = Object.entries(types).find(([, number]) => number === value);
  return found === undefined ? String(value) : found[0].toLowerCase().replaceAll('_', ' ');
}
