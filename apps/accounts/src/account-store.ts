import type { AccessDirectory, CredentialEntry, Demands, DirectoryAnswer } from '@sluice/contracts';
import { accessTokenHash, legacyCredentialHash } from '@sluice/contracts';
import type { SeedAccount, SeedTerms } from '@sluice/domain-accounts';
import type { EntityId } from '@sluice/identifiers';
import { isDeepStrictEqual } from 'node:util';
import type { DataSource, EntityManager } from 'typeorm';
import { askerRows, credentialRows, directoryVersionRows, type NodeRow, nodeRows } from './rows.js';

/** Five times the interval at which edge asks: one that missed a few is still there. */
const STILL_THERE = "asked_at > clock_timestamp() - interval '10 s'";
/** More than twice that interval; what one that is gone was asked for is soon asked of the others. */
const FRESH = "asked_at > clock_timestamp() - interval '5 s'";
const LONG_GONE = "asked_at < clock_timestamp() - interval '1 hour'";

/** What the nodes of a seed are made with. */
export interface SeedOptions {
  /** Chargebacks may be recorded over HTTP (D-32): sandboxes yes, live installations no. */
  readonly manualChargebacks: boolean;
}

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
   * Creates nodes, or brings existing ones to what the seed says: a node then has exactly the
   * credentials and switches listed, so seeding twice changes nothing and a token taken out of the
   * file is revoked. Of an implied node nothing changes if it is there. The version moves only with a
   * real change.
   */
  async seed(accounts: readonly SeedAccount[], options: SeedOptions): Promise<void> {
    await this.#changing(async (manager) => {
      let changes = 0;
      for (const account of accounts) {
        changes += await this.#seedNode(manager, account, options);
        changes += await this.#seedCredentials(manager, account);
      }
      return changes;
    });
  }

  /** Takes credentials away from whatever node has them. */
  async revoke(terms: Pick<SeedTerms, 'accessTokens' | 'legacyCredentials'>): Promise<void> {
    await this.#changing(async (manager) => {
      const repository = manager.getRepository(credentialRows);
      let changes = 0;
      for (const entry of this.#hashed(terms)) {
        changes += (await repository.delete(entry)).affected ?? 0;
      }
      return changes;
    });
  }

  /** Does the work, which says how much it has changed, while nobody else changes anything. */
  async #changing(work: (manager: EntityManager) => Promise<number>): Promise<void> {
    await this.database.transaction(async (manager) => {
      // The lock makes seedings follow one another, and readers see all of one or none of it.
      await manager
        .createQueryBuilder(directoryVersionRows, 'version')
        .setLock('pessimistic_write')
        .getOneOrFail();
      if ((await work(manager)) > 0) await moveVersion(manager);
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
        .find({ order: { kind: 'ASC', hash: 'ASC', nodeId: 'ASC' } });
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

  async #seedNode(
    manager: EntityManager,
    { terms, parentId, ...node }: SeedAccount,
    options: SeedOptions,
  ): Promise<number> {
    const repository = manager.getRepository(nodeRows);
    const existing = await repository.findOneBy({ id: node.id });
    if (existing !== null && terms === undefined) return 0;
    const wanted: NodeRow = {
      ...node,
      parentId: parentId ?? null,
      manualChargebacks: node.kind === 'channel' && options.manualChargebacks,
      compatibility: terms?.compatibility ?? {},
    };
    if (existing !== null && isSameNode(existing, wanted)) return 0;
    await repository.upsert(wanted, ['id']);
    return 1;
  }

  async #seedCredentials(manager: EntityManager, { id, terms }: SeedAccount): Promise<number> {
    if (terms === undefined) return 0;
    const repository = manager.getRepository(credentialRows);
    const wanted = this.#credentialsOf(id, terms);
    const existing = await repository.findBy({ nodeId: id });
    const surplus = existing.filter((row) => !wanted.some((entry) => isSameCredential(entry, row)));
    const missing = wanted.filter((entry) => !existing.some((row) => isSameCredential(entry, row)));
    if (surplus.length > 0) await repository.remove(surplus);
    if (missing.length > 0) await repository.insert(missing);
    return surplus.length + missing.length;
  }

  #credentialsOf(nodeId: EntityId, terms: SeedTerms): CredentialEntry[] {
    return this.#hashed(terms).map((entry) => ({ ...entry, nodeId }));
  }

  #hashed({
    accessTokens,
    legacyCredentials,
  }: Pick<SeedTerms, 'accessTokens' | 'legacyCredentials'>): Omit<CredentialEntry, 'nodeId'>[] {
    return [
      ...accessTokens.map((token) => ({
        kind: 'accessToken' as const,
        hash: accessTokenHash(this.credentialKey, token),
      })),
      ...legacyCredentials.map((credential) => ({
        kind: 'legacy' as const,
        hash: legacyCredentialHash(this.credentialKey, credential),
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
    left.manualChargebacks === right.manualChargebacks &&
    isDeepStrictEqual(left.compatibility, right.compatibility)
  );
}

function isSameCredential(left: CredentialEntry, right: CredentialEntry): boolean {
  return left.kind === right.kind && left.hash === right.hash;
}
