import { stateOf, Streams, StreamWriter } from '@sluice/aggregates';
import {
  type AccessDirectory,
  type AccountEventMetadata,
  accessTokenHash,
  legacyCredentialHash,
} from '@sluice/contracts';
import {
  type AccountCommand,
  accountDecider,
  type AccountEvent,
  accountEventCodec,
  type AccountState,
  type Credential,
  type SeedAccount,
  type SeedTerms,
} from '@sluice/domain-accounts';
import { type Checkpoint, checkpointAtStart, type EventStore } from '@sluice/event-store';
import { newMessageId } from '@sluice/identifiers';
import type { Clock } from '@sluice/service';

/** How the nodes of a seed are made. */
export interface SeedOptions {
  /**
   * Whether chargebacks may be recorded over HTTP (D-32): in sandboxes, not on live installations.
   */
  readonly manualChargebacks: boolean;
}

/** The parts of the tree. */
export interface AccountTreeParts {
  readonly store: EventStore;
  /** Of the hashes (S-AUT-01); edge has the same one. */
  readonly credentialKey: Buffer;
  readonly clock: Pick<Clock, 'now'>;
}

/** So far only seeds change the tree; later people will, through the back office. */
const SEED = 'seed';
/** Only a seed writes, and it names each node once. */
const WAITING_PER_NODE_MAX = 10;
/** Nodes written or read at once: a few milliseconds of the database. */
const NODES_AT_ONCE = 100;
/** How many events one search for changes covers. */
const HEADS_AT_ONCE = 10_000;

const account = { decider: accountDecider, codec: accountEventCodec };

interface Node {
  readonly version: number;
  readonly state: NonNullable<AccountState>;
}

/** The tree of accounts: a stream for each node, and the directory that they add up to. */
export class AccountTree {
  readonly #streams = new Streams<AccountState>(accountDecider.initialState, WAITING_PER_NODE_MAX);
  readonly #writer: StreamWriter<AccountCommand, AccountState, AccountEvent>;
  /** The state of the streams up to `#checkpoint`, in the store with this incarnation. */
  #nodes = new Map<string, Node>();
  #checkpoint: Checkpoint = checkpointAtStart;
  #incarnation: string | undefined;
  #look: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: AccountTreeParts) {
    this.#writer = new StreamWriter(account, parts.store, parts.clock);
  }

  /**
   * Adds nodes, or brings existing ones to what the seed says: a node then has exactly the
   * credentials and switches listed, so seeding twice records nothing and a token taken out of the
   * file is revoked. An implied node that exists is not changed. The accounts are ordered from the
   * top, so that a node exists before those below it.
   */
  async seed(accounts: readonly SeedAccount[], options: SeedOptions): Promise<void> {
    for (const kind of ['psp', 'division', 'merchant', 'channel'] as const) {
      const ofKind = accounts.filter((each) => each.kind === kind);
      await inBatches(ofKind, (each) => this.#place(each, options));
    }
  }

  /** Revokes credentials, whichever node has them. */
  async revoke(terms: Pick<SeedTerms, 'accessTokens' | 'legacyCredentials'>): Promise<void> {
    await this.#catchUp();
    const credentials = this.#hashed(terms);
    const has = ({ state }: Node): boolean =>
      state.credentials.some(({ hash }) => credentials.some((each) => each.hash === hash));
    const owners = [...this.#nodes].filter(([, node]) => has(node)).map(([id]) => id);
    await inBatches(owners, (id) =>
      this.#decide(id, (metadata) => ({ type: 'RevokeCredentials', credentials, metadata })),
    );
  }

  /** The whole directory, or undefined when it still has the version that the asker knows. */
  async directory(knownVersion: string | undefined): Promise<AccessDirectory | undefined> {
    await this.#catchUp();
    const states = [...this.#nodes.entries()].sort(([one], [other]) => (one < other ? -1 : 1));
    // Versions only grow, and so does their sum; a restored store has another incarnation.
    const events = states.reduce((sum, [, { version }]) => sum + version, 0);
    const version = `${this.#incarnation ?? ''}.${String(events)}`;
    if (version === knownVersion) return undefined;
    return {
      version,
      nodes: states.map(([, { state }]) => state.node),
      credentials: states.flatMap(([, { state }]) =>
        [...state.credentials]
          .sort(byKindAndHash)
          .map((credential) => ({ ...credential, nodeId: state.node.id })),
      ),
    };
  }

  /** Gives up what is still being written. */
  close(): void {
    this.#writer.close();
  }

  #place({ terms, ...node }: SeedAccount, options: SeedOptions): Promise<void> {
    const manualChargebacks = node.kind === 'channel' && options.manualChargebacks;
    const { compatibility = {} } = terms ?? {};
    return this.#decide(node.id, (metadata) => ({
      type: 'PlaceNode',
      node: { ...node, manualChargebacks, compatibility },
      ...(terms !== undefined && { credentials: this.#hashed(terms) }),
      metadata,
    }));
  }

  async #decide(
    nodeId: string,
    commandOf: (metadata: AccountEventMetadata) => AccountCommand,
  ): Promise<void> {
    const nowMs = this.parts.clock.now();
    const commandId = newMessageId(nowMs);
    const command = commandOf({
      ...{ recordedAtMs: nowMs, actor: SEED, correlationId: commandId, causationId: commandId },
    });
    const stream = this.#streams.hold(nodeId);
    try {
      const result = await this.#streams.exclusively(stream, () =>
        this.#writer.accept(stream, async () => {
          await this.#writer.ensureLoaded(stream);
          return { kind: 'command', command, claims: { commandId } };
        }),
      );
      if (result.kind === 'recorded' || result.kind === 'nothingNew') return;
      throw new Error(`Node ${nodeId} could not be changed: ${result.kind}`);
    } finally {
      this.#streams.release(stream);
    }
  }

  /** One read at a time, so that none replaces a newer state by an older one. */
  #catchUp(): Promise<void> {
    const look = this.#look.then(() => this.#readChanged());
    this.#look = look.catch(() => undefined);
    return look;
  }

  /** Reads the streams that have changed since the last time, including commits out of order. */
  async #readChanged(): Promise<void> {
    const { store } = this.parts;
    const incarnation = await store.incarnation();
    if (incarnation !== this.#incarnation) {
      this.#nodes = new Map();
      this.#checkpoint = checkpointAtStart;
      this.#incarnation = incarnation;
    }
    for (let more = true; more;) {
      const page = await store.headsNow(this.#checkpoint, HEADS_AT_ONCE);
      const changed = page.heads.filter(
        ({ streamId, version }) => (this.#nodes.get(streamId)?.version ?? 0) < version,
      );
      await inBatches(changed, ({ streamId }) => this.#read(streamId));
      more = page.more && page.next.position !== this.#checkpoint.position;
      this.#checkpoint = page.next;
    }
  }

  async #read(nodeId: string): Promise<void> {
    const events = await this.parts.store.read(nodeId);
    const state = stateOf(account, events);
    if (state !== undefined) this.#nodes.set(nodeId, { version: events.length, state });
  }

  #hashed({
    accessTokens,
    legacyCredentials,
  }: Pick<SeedTerms, 'accessTokens' | 'legacyCredentials'>): readonly Credential[] {
    const key = this.parts.credentialKey;
    return [
      ...accessTokens.map((token) => ({
        kind: 'accessToken' as const,
        hash: accessTokenHash(key, token),
      })),
      ...legacyCredentials.map((credential) => ({
        kind: 'legacy' as const,
        hash: legacyCredentialHash(key, credential),
      })),
    ];
  }
}

function byKindAndHash(one: Credential, other: Credential): number {
  const [left, right] = [one, other].map(({ kind, hash }) => `${kind} ${hash}`);
  return (left ?? '') < (right ?? '') ? -1 : 1;
}

async function inBatches<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += NODES_AT_ONCE) {
    await Promise.all(items.slice(at, at + NODES_AT_ONCE).map(work));
  }
}
