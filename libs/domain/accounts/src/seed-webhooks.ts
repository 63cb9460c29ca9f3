import {
  notificationFields,
  notificationTypes,
  type NotificationType,
  notificationWrappers,
  type SeededWebhook,
} from '@sluice/contracts';
import { WebhookSecret } from '@sluice/secrets';
import type { LocatedValue } from './located-json.js';
import { itemsOf, located, type Members, membersOf, SeedRefused, textOf } from './seed-values.js';

/** Of one node; each gets a copy of everything. */
export const SEED_WEBHOOKS_MAX = 20;
const MEMBERS = ['url', 'secret', 'types', 'fields', 'wrapper'];
const URL_CHARACTERS_MAX = 2_048;
/** What is no longer than this is of no form that is asked for, or of one of the few words. */
const WORD_CHARACTERS_MAX = 100;

/**
 * As everybody reads it: without a user, and without a backslash, which some read as the end of the host.
 * What is behind a # is sent to nobody.
 */
const WEB_ADDRESS = /^https?:\/\/[!"$-.0->A-[\]-~]+(?:[/?][!"$-[\]-~]*)?$/i;
const SECRET = /^[0-9a-fA-F]{64}$/;

/** What a seed says of a receiver of its node's notifications. */
export type SeededReceiver = Omit<SeededWebhook, 'nodeId'>;

/** Reads the receivers of a node. @throws SeedRefused */
export function readWebhooks(members: Members, item: LocatedValue): readonly SeededReceiver[] {
  const urls = new Set<string>();
  return itemsOf(members, item, 'webhooks', SEED_WEBHOOKS_MAX).map((value) => {
    const webhook = readWebhook(value);
    if (urls.has(webhook.url)) throw new SeedRefused(value.line, 'this "url" is given twice here');
    urls.add(webhook.url);
    return webhook;
  });
}

function readWebhook(value: LocatedValue): SeededReceiver {
  const members = membersOf(value, 'a webhook', MEMBERS);
  const url = textOf(members, value, 'url', URL_CHARACTERS_MAX);
  if (!WEB_ADDRESS.test(url.text) || !URL.canParse(url.text)) {
    throw new SeedRefused(
      url.line,
      '"url" must be an address with https or http, without a user, a backslash and a #',
    );
  }
  const secret = textOf(members, value, 'secret', WORD_CHARACTERS_MAX);
  if (!SECRET.test(secret.text)) {
    throw new SeedRefused(secret.line, '"secret" must have 64 hexadecimal digits');
  }
  return {
    url: url.text,
    secret: new WebhookSecret(secret.text),
    types: typesOf(members, value),
    fields: wordOf(members, value, { name: 'fields', words: notificationFields }),
    wrapper: wordOf(members, value, { name: 'wrapper', words: notificationWrappers }),
  };
}

function typesOf(members: Members, value: LocatedValue): readonly NotificationType[] {
  if (!members.has('types')) return notificationTypes;
  const items = itemsOf(members, value, 'types', notificationTypes.length);
  if (items.length === 0) {
    throw new SeedRefused(members.get('types')?.line ?? value.line, '"types" names nothing');
  }
  return items.map((item) => {
    const { text, line } = located(item, 'a type', WORD_CHARACTERS_MAX);
    const type = notificationTypes.find((each) => each === text);
    if (type !== undefined) return type;
    throw new SeedRefused(line, `a type must be one of ${notificationTypes.join(', ')}`);
  });
}

/** One of a few words; the first one unless something is said. */
function wordOf<Word extends string>(
  members: Members,
  value: LocatedValue,
  { name, words }: { readonly name: string; readonly words: readonly [Word, ...Word[]] },
): Word {
  if (!members.has(name)) return words[0];
  const { text, line } = textOf(members, value, name, WORD_CHARACTERS_MAX);
  const word = words.find((each) => each === text);
  if (word !== undefined) return word;
  throw new SeedRefused(line, `"${name}" must be one of ${words.join(', ')}`);
}
