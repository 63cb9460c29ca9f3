import { type Proposal, stateOf, Streams, StreamWriter } from '@sluice/aggregates';
import type { AccountEventMetadata } from '@sluice/contracts';
import {
  type AccountCommand,
  accountDecider,
  type AccountEvent,
  accountEventCodec,
  type AccountState,
  type RoutingRefusal,
  routingRefusal,
} from '@sluice/domain-accounts';
import { type Checkpoint, checkpointAtStart, type EventStore } from '@sluice/event-store';
import { newMessageId } from '@sluice/identifiers';
import type { Clock } from '@sluice/service';
import { inBatches } from './in-batches.js';

/** The parts they are made of. */
export interface AccountNodesParts {
  readonly store: EventStore;
  readonly clock: Pick<Clock, 'now'>;
}

/** A seed or an operator writes, and each names a node a few times. */
const WAITING_PER_NODE_MAX = 500;
/** How many events one search for changes covers. */
const HEADS_AT_ONCE = 10_000;

const account = { decider: accountDecider, codec: accountEventCodec };

/** A node that exists. */
export type NodeState = NonNullable<AccountState>;

interface Node {
  readonly version: number;
  readonly state: NodeState;
}

/** All nodes as they are now. */
export interface NodesNow {
  /** Different after every change. */
  readonly version: string;
  /** By id, in the order of the ids. */
  readonly nodes: ReadonlyMap<string, NodeState>;
}

/** The nodes of the account tree: a stream for each. */
export class AccountNodes {
  readonly #streams = new Streams<AccountState>(accountDecider.initialState, WAITING_PER_NODE_MAX);
  readonly #writer: StreamWriter<AccountCommand, AccountState, AccountEvent>;
  /** The state of the streams up to `#checkpoint`, in the store with this incarnation. */
  #nodes = new Map<string, Node>();
  #checkpoint: Checkpoint = checkpointAtStart;
  #incarnation: string | undefined;
  #look: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: AccountNodesParts) {
    this.#writer = new StreamWriter(account, parts.store, parts.clock);
  }

  /** Reads what has changed. */
  async now(): Promise<NodesNow> {
    await this.#catchUp();
    const sorted = [...this.#nodes.entries()].sort(([one], [other]) => (one < other ? -1 : 1));
    // Versions only grow, and so does their sum; a restored store has another incarnation.
    const events = sorted.reduce((sum, [, { version }]) => sum + version, 0);
    return {
      version: `${this.#incarnation ?? ''}.${String(events)}`,
      nodes: new Map(sorted.map(([id, { state }]) => [id, state])),
    };
  }

  /** Decides and records a command about a node; nothing is recorded of one that is refused. */
  async decide(
    nodeId: string,
    actor: string,
    commandOf: (metadata: AccountEventMetadata) => AccountCommand,
  ): Promise<RoutingRefusal | undefined> {
    const nowMs = this.parts.clock.now();
    const commandId = newMessageId(nowMs);
    const metadata = { actor, correlationId: commandId, causationId: commandId };
    const command = commandOf({ recordedAtMs: nowMs, ...metadata });
    const stream = this.#streams.hold(nodeId);
    try {
      const propose = async (): Promise<Proposal<AccountCommand, RoutingRefusal>> => {
        await this.#writer.ensureLoaded(stream);
        const refusal = refusalOf(command, stream.state);
        return refusal === undefined
          ? { kind: 'command', command, claims: { commandId } }
          : { kind: 'answered', answer: refusal };
      };
      const result = await this.#streams.exclusively(stream, () =>
        this.#writer.accept(stream, propose),
      );
      if (result.kind === 'answered') return result.answer;
      if (result.kind === 'recorded' || result.kind === 'nothingNew') return undefined;
      throw new Error(`Node ${nodeId} could not be changed: ${result.kind}`);
    } finally {
      this.#streams.release(stream);
    }
  }

  /** Gives up what is still being written. */
  close(): void {
    this.#writer.close();
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
    this.#checkpoint = await store.walkHeadsNow(this.#checkpoint, HEADS_AT_ONCE, async (heads) => {
      const changed = heads.filter(
        ({ streamId, version }) => (this.#nodes.get(streamId)?.version ?? 0) < version,
      );
      await inBatches(changed, ({ streamId }) => this.#read(streamId));
    });
  }

  async #read(nodeId: string): Promise<void> {
    const events = await this.parts.store.read(nodeId);
    const state = stateOf(account, events);
    if (state !== undefined) this.#nodes.set(nodeId, { version: events.length, state });
  }
}

function refusalOf(command: AccountCommand, state: AccountState): RoutingRefusal | undefined {
  switch (command.type) {
    case 'PlaceNode':
    case 'RevokeCredentials':
      return undefined;
    case 'ConfigureMerchantAccount':
    case 'RemoveMerchantAccount':
    case 'ConfigureRoute':
    case 'RemoveRoute':
      return routingRefusal(command, state);
  }
}
