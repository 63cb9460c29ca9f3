import type { MerchantAccountId } from '@sluice/contracts';
import { type EntityId, isEntityId } from '@sluice/identifiers';
import {
  DEFAULT_DIVISION,
  DEFAULT_PSP,
  impliedOwner,
  type OwnerKind,
  ownerIdOf,
} from './account-tree.js';
import { demoEntityIds } from './demo.js';
import { JsonSyntaxError, type LocatedValue, parseLocatedJson } from './located-json.js';
import { MERCHANT_ACCOUNTS_MAX, ROUTES_MAX } from './routing-decisions.js';
import { isRoutingId } from './routing-ids.js';
import type { SeedAccount } from './seed-account.js';
import { readMerchantAccount, readRoute } from './seed-routing.js';
import { TERMS_MEMBERS, TermsReader } from './seed-terms.js';
import { readWebhooks } from './seed-webhooks.js';
import {
  itemsIfAny,
  itemsOf,
  type LocatedText,
  type Members,
  membersOf,
  SEED_NAME_CHARACTERS_MAX,
  SeedRefused,
  textOf,
} from './seed-values.js';

/** The result of reading a seed file. */
export type SeedResult =
  /** Each node after its parent. */
  | { readonly kind: 'seed'; readonly accounts: readonly SeedAccount[] }
  /** `line` counts from 1; `reason` never repeats a token or password. */
  | { readonly kind: 'refused'; readonly line: number; readonly reason: string };

/** Enough for a thousand channels with twenty tokens each. */
export const SEED_CHARACTERS_MAX = 4 * 1024 * 1024;
/**
 * For each list. Enough for a platform's test accounts in a sandbox; an installation's own are not
 * seeded.
 */
export const SEED_CHANNELS_MAX = 1000;

/** The lists above the channels, from the top: what they contain, and the parent of each. */
const OWNERS = [
  { list: 'psps', kind: 'psp' },
  { list: 'divisions', kind: 'division', parent: 'psp', otherwise: DEFAULT_PSP },
  { list: 'merchants', kind: 'merchant', parent: 'division', otherwise: DEFAULT_DIVISION },
] as const;

/**
 * Reads a seed file: `{"channels": [{"entityId", "name", "merchant", "accessTokens": […],
 * "legacyCredentials": [{"userId", "password"}], "compatibility": {…}, "merchantAccounts": […],
 * "routes": […], "webhooks": […]}]}`, and in the same form `psps`, `divisions` and `merchants`, which may be left out. A file that is not exactly that is
 * refused with the line and the reason, because if it were read only in part, that would show much
 * later, as 403s.
 */
export function parseSeed(text: string): SeedResult {
  if (text.length > SEED_CHARACTERS_MAX) {
    const reason = `the file has more than ${SEED_CHARACTERS_MAX} characters`;
    return { kind: 'refused', line: 1, reason };
  }
  try {
    return { kind: 'seed', accounts: new SeedReader().read(parseLocatedJson(text)) };
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof SeedRefused) {
      return { kind: 'refused', line: error.line, reason: error.reason };
    }
    throw error;
  }
}

class SeedReader {
  /** By id, in the order of the tree. */
  readonly #accounts = new Map<EntityId, SeedAccount>();
  /** The ids of owners that differ from those derived from their names. */
  readonly #idsByName = new Map<string, EntityId>();
  readonly #terms = new TermsReader();

  read(file: LocatedValue): readonly SeedAccount[] {
    const lists = [...OWNERS.map(({ list }) => list), 'channels'];
    const members = membersOf(file, 'the file', lists);
    const channels = itemsOf(members, file, 'channels', SEED_CHANNELS_MAX);
    for (const owner of OWNERS) {
      for (const item of itemsIfAny(members, file, owner.list, SEED_CHANNELS_MAX)) {
        this.#addOwner(item, owner);
      }
    }
    for (const item of channels) this.#addChannel(item);
    return [...this.#accounts.values()];
  }

  #addOwner(item: LocatedValue, owner: (typeof OWNERS)[number]): void {
    const { kind } = owner;
    const own = 'parent' in owner ? [owner.parent] : [];
    const members = membersOf(item, `a ${kind}`, [
      ...['entityId', 'name', ...own, ...TERMS_MEMBERS, ...ROUTING_MEMBERS, 'webhooks'],
    ]);
    const name = textOf(members, item, 'name', SEED_NAME_CHARACTERS_MAX);
    const given = members.has('entityId') ? entityIdOf(members, item) : undefined;
    const id = given?.id ?? ownerIdOf(kind, name.text);
    this.#idsByName.set(nameKey(kind, name.text), id);
    const parentId =
      'parent' in owner ? this.#ownerOf(owner.parent, parentName(members, item, owner)) : undefined;
    const terms = this.#terms.read(members, item);
    const webhooks = webhooksOf(members, item);
    const account = {
      id,
      kind,
      name: name.text,
      ...(parentId && { parentId }),
      terms,
      ...webhooks,
    };
    this.#add(account, given?.line ?? name.line);
    this.#addRouting(account, members, item);
  }

  #addChannel(item: LocatedValue): void {
    const members = membersOf(item, 'a channel', CHANNEL_MEMBERS);
    const { id, line } = entityIdOf(members, item);
    const { text: name } = textOf(members, item, 'name', SEED_NAME_CHARACTERS_MAX);
    const merchant = textOf(members, item, 'merchant', SEED_NAME_CHARACTERS_MAX);
    const parentId = this.#ownerOf('merchant', merchant.text);
    const terms = this.#terms.read(members, item);
    const webhooks = webhooksOf(members, item);
    const channel = { id, kind: 'channel', name, parentId, terms, ...webhooks } as const;
    this.#add(channel, line);
    this.#addRouting(channel, members, item);
    if (!this.#canBeUsed(channel)) {
      const reason =
        'nobody could use this channel: it, or a node above it, needs an access token or a ' +
        'legacy credential';
      throw new SeedRefused(item.line, reason);
    }
  }

  #add(account: SeedAccount, line: number): void {
    if (this.#accounts.has(account.id) || demoEntityIds.has(account.id)) {
      throw new SeedRefused(line, `this ${account.kind} is already taken by another one`);
    }
    this.#accounts.set(account.id, account);
  }

  /** Accounts first, because the routes may lead to them. */
  #addRouting(account: SeedAccount, members: Members, item: LocatedValue): void {
    const { id } = account;
    let said = account;
    if (members.has('merchantAccounts')) {
      const items = itemsOf(members, item, 'merchantAccounts', MERCHANT_ACCOUNTS_MAX);
      const merchantAccounts = items.map((each) => readMerchantAccount(each, id));
      said = { ...said, merchantAccounts };
      this.#accounts.set(id, said);
    }
    if (!members.has('routes')) return;
    const find = (name: string): MerchantAccountId | undefined => this.#accountFor(id, name);
    const routes = itemsOf(members, item, 'routes', ROUTES_MAX).map((each, index) =>
      readRoute(each, { nodeId: id, index, find }),
    );
    this.#accounts.set(id, { ...said, routes });
  }

  /** Of the node or one above it; an id may be that of an account which no file has. */
  #accountFor(nodeId: EntityId | undefined, name: string): MerchantAccountId | undefined {
    const node = nodeId && this.#accounts.get(nodeId);
    if (node === undefined) return isRoutingId(name) ? (name as MerchantAccountId) : undefined;
    const own = node.merchantAccounts?.find((each) => each.id === name || each.name === name);
    return own?.id ?? this.#accountFor(node.parentId, name);
  }

  /**
   * The id of an owner by its name or id; an owner that no list has is implied, with all above it.
   */
  #ownerOf(kind: OwnerKind, name: string): EntityId {
    const id = this.#idsByName.get(nameKey(kind, name)) ?? ownerIdOf(kind, name);
    if (this.#accounts.has(id)) return id;
    const level = OWNERS.find((owner) => owner.kind === kind);
    const parentId =
      level !== undefined && 'parent' in level
        ? this.#ownerOf(level.parent, level.otherwise)
        : undefined;
    this.#accounts.set(id, impliedOwner(kind, name, parentId));
    return id;
  }

  #canBeUsed({ terms, parentId }: SeedAccount): boolean {
    const credentials = [...(terms?.accessTokens ?? []), ...(terms?.legacyCredentials ?? [])];
    if (credentials.length > 0) return true;
    const parent = parentId && this.#accounts.get(parentId);
    return parent !== undefined && this.#canBeUsed(parent);
  }
}

const ROUTING_MEMBERS = ['merchantAccounts', 'routes'];
const CHANNEL_MEMBERS = [
  ...['entityId', 'name', 'merchant', ...TERMS_MEMBERS, ...ROUTING_MEMBERS, 'webhooks'],
];

function webhooksOf(members: Members, item: LocatedValue): Pick<SeedAccount, 'webhooks'> {
  return members.has('webhooks') ? { webhooks: readWebhooks(members, item) } : {};
}

function nameKey(kind: OwnerKind, name: string): string {
  return `${kind}:${name}`;
}

function parentName(
  members: Members,
  item: LocatedValue,
  { parent, otherwise }: { readonly parent: OwnerKind; readonly otherwise: string },
): string {
  if (!members.has(parent)) return otherwise;
  return textOf(members, item, parent, SEED_NAME_CHARACTERS_MAX).text;
}

function entityIdOf(
  members: Members,
  item: LocatedValue,
): { readonly id: EntityId; readonly line: number } {
  const { text, line }: LocatedText = textOf(members, item, 'entityId', SEED_NAME_CHARACTERS_MAX);
  if (isEntityId(text)) return { id: text, line };
  throw new SeedRefused(line, '"entityId" must be 32 lowercase hexadecimal digits');
}
