import type { AccessDirectory, CredentialEntry, Demands, DirectoryAnswer } from '@sluice/contracts';
import { accessTokenHash, legacyCredentialHash } from '@sluice/contracts';
import { nodesOf, type SeedChannel, type SeedOptions } from '@sluice/domain-accounts';
import type { DataSource, EntityManager } from 'typeorm';
import { askerRows, credentialRows, directoryVersionRows, type NodeRow, nodeRows } from './rows.js';

/** Five times the interval at which edge asks: one that missed a few is still there. */
const STILL_THERE = "asked_at > clock_timestamp() - interval '10 s'";
/** More than twice that interval; what one that is gone was asked for is soon asked of the others. */
const FRESH = "asked_at > clock_timestamp() - interval '5 s'";
const LONG_GONE = "asked_at < clock_timestamp() - interval '1 hour'";

/** Reads and writes the tree of accounts and its credentials. */
export class AccountStore {
  /** How many askers were counted last; undefined before the first. */
  lastAskers: number | undefined;

  /**
   * @param credentialKey the key of the hashes (S-AUT-01); edge has the same one
   */
  constructor(
    private readonly database: DataSource,
    private readonly credentialKey: Buffer,
  ) {}

  /**
   * Creates channels with all above them, or brings existing ones to what the seed says: a
   * channel then has exactly the credentials listed, so seeding twice changes nothing and a
   * token taken out of the file is revoked. The version moves only with a real change.
   */
  async seed(channels: readonly SeedChannel[], options: SeedOptions): Promise<void> {
    await this.database.transaction(async (manager) => {
      // The lock makes seedings follow one another, and readers see all of one or none of it.
      await manager
        .createQueryBuilder(directoryVersionRows, 'version')
        .setLock('pessimistic_write')
        .getOneOrFail();
      let changes = 0;
      for (const channel of channels) {
        changes += await this.#seedNodes(manager, channel, options);
        changes += await this.#seedCredentials(manager, channel);
      }
      if (changes > 0) {
        await moveVersion(manager);
      }
    });
  }

  /** What the directory's version is; fails where the database or its tables are not there. */
  async directoryVersion(): Promise<string> {
    const { version } = await this.database.getRepository(directoryVersionRows).findOneByOrFail({});
    return version;
  }

  /** The whole directory, or undefined when it still has the version that the asker knows. */
  async directory(knownVersion: string | undefined): Promise<AccessDirectory | undefined> {
    return this.database.transaction('REPEATABLE READ', async (manager) => {
      const { version } = await manager.getRepository(directoryVersionRows).findOneByOrFail({});
      if (version === knownVersion) {
        return undefined;
      }
      const nodes = await manager.getRepository(nodeRows).find({ order: { id: 'ASC' } });
      const credentials = await manager
        .getRepository(credentialRows)
        .find({ order: { kind: 'ASC', hash: 'ASC' } });
      return {
        version,
        nodes: nodes.map(({ parentId, ...node }) => ({
          ...node,
          ...(parentId !== null && { parentId }),
        })),
        credentials,
      };
    });
  }

  /**
   * Notes that an instance has asked and what it was asked for, and says how many there are and what
   * the others were asked for of the same keys: a merchant's limit holds for all of them together
   * (D-40).
   */
  async shareLimits(
    asker: string,
    demands: Demands,
  ): Promise<Required<Pick<DirectoryAnswer, 'askers' | 'others'>>> {
    const askers = this.database.getRepository(askerRows);
    await askers
      .createQueryBuilder()
      .insert()
      .values({ asker, askedAt: () => 'clock_timestamp()', demands })
      .orUpdate(['asked_at', 'demands'], ['asker'])
      .execute();
    await askers.createQueryBuilder().delete().where(LONG_GONE).execute();
    const reports = await askers
      .createQueryBuilder('asker')
      .where(`asker <> :asker AND ${FRESH}`, { asker })
      .getMany();
    this.lastAskers = await askers.createQueryBuilder('asker').where(STILL_THERE).getCount();
    return {
      askers: this.lastAskers,
      others: othersOf(
        Object.keys(demands),
        reports.map((row) => row.demands),
      ),
    };
  }

  async #seedNodes(
    manager: EntityManager,
    channel: SeedChannel,
    options: SeedOptions,
  ): Promise<number> {
    const repository = manager.getRepository(nodeRows);
    let changes = 0;
    for (const { parentId, ...node } of nodesOf(channel, options)) {
      const wanted: NodeRow = { ...node, parentId: parentId ?? null };
      const existing = await repository.findOneBy({ id: wanted.id });
      if (existing === null || !isSameNode(existing, wanted)) {
        await repository.upsert(wanted, ['id']);
        changes += 1;
      }
    }
    return changes;
  }

  async #seedCredentials(manager: EntityManager, channel: SeedChannel): Promise<number> {
    const repository = manager.getRepository(credentialRows);
    const wanted = this.#credentialsOf(channel);
    const existing = await repository.findBy({ nodeId: channel.entityId });
    const surplus = existing.filter((row) => !wanted.some((entry) => isSameCredential(entry, row)));
    const missing = wanted.filter((entry) => !existing.some((row) => isSameCredential(entry, row)));
    if (surplus.length > 0) {
      await repository.remove(surplus);
    }
    if (missing.length > 0) {
      // A token that another channel had moves over: it belongs to one node (D-39).
      await repository.upsert(missing, ['kind', 'hash']);
    }
    return surplus.length + missing.length;
  }

  #credentialsOf(channel: SeedChannel): CredentialEntry[] {
    const nodeId = channel.entityId;
    return [
      ...channel.accessTokens.map((token) => ({
        kind: 'accessToken' as const,
        hash: accessTokenHash(this.credentialKey, token),
        nodeId,
      })),
      ...channel.legacyCredentials.map((credential) => ({
        kind: 'legacy' as const,
        hash: legacyCredentialHash(this.credentialKey, credential),
        nodeId,
      })),
    ];
  }
}

function othersOf(
  keys: readonly string[],
  reports: readonly Demands[],
): Record<string, readonly number[]> {
  const others: Record<string, readonly number[]> = {};
  for (const key of keys) {
    const demands = reports.flatMap((report) => report[key] ?? []);
    if (demands.length > 0) others[key] = demands;
  }
  return others;
}

/**
 * At least the time in milliseconds, so that a database that was made anew never counts up to a
 * version which an edge still remembers.
 */
async function moveVersion(manager: EntityManager): Promise<void> {
  await manager
    .createQueryBuilder()
    .update(directoryVersionRows)
    .set({
      version: () => 'greatest(version + 1, floor(extract(epoch from clock_timestamp()) * 1000))',
    })
    .where({ onlyRow: true })
    .execute();
}

function isSameNode(left: NodeRow, right: NodeRow): boolean {
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    left.parentId === right.parentId &&
    left.manualChargebacks === right.manualChargebacks
  );
}

function isSameCredential(left: CredentialEntry, right: CredentialEntry): boolean {
  return left.kind === right.kind && left.hash === right.hash;
}
