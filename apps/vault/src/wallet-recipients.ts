import type { WalletName } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import {
  type JsonFields,
  jsonObjectIn,
  secretJsonObject,
  secretJsonText,
  SettingsError,
} from '@sluice/service';
import {
  type ApplePayRecipient,
  applePayRecipient,
  type ClickToPayRecipient,
  clickToPayRecipient,
  type GooglePayRecipient,
  googlePayRecipient,
  openApplePayToken,
  openClickToPayToken,
  openGooglePayToken,
  openSamsungPayToken,
  samsungPayRecipient,
  type SamsungPayRecipient,
  srcSystems,
  type WalletOpening,
} from '@sluice/wallets';

/** Whose tokens keys are for: channels or merchants; absent: everybody's. */
type Owned<Recipient> = Recipient & { readonly entityIds?: readonly string[] };

/** Keys of a wallet, with whom they are for. */
interface Recipients {
  readonly applePay: readonly Owned<{ readonly recipient: ApplePayRecipient }>[];
  readonly googlePay: readonly Owned<{ readonly recipient: GooglePayRecipient }>[];
  readonly samsungPay: readonly Owned<{ readonly recipient: SamsungPayRecipient }>[];
  readonly clickToPay: readonly Owned<{ readonly recipient: ClickToPayRecipient }>[];
}

/** One installation has so many keys of a wallet at most: each is tried, or read at the start. */
const RECIPIENTS_MAX = 1_000;
/** Merchants that decrypt themselves are named so, and Google then names no other. */
const OF_MERCHANT = 'merchant:';

/** The keys with which an installation opens the tokens of wallets. */
export class WalletRecipients {
  private constructor(private readonly recipients: Recipients) {}

  /** None: every token is refused, because there are no keys. */
  static readonly none = new WalletRecipients({
    ...{ applePay: [], googlePay: [], samsungPay: [], clickToPay: [] },
  });

  /**
   * Reads the file of VAULT_WALLETS_FILE; docs/how-to/take-wallets.md says what is in it.
   * @throws SettingsError with a sentence that repeats nothing of the file
   */
  static async read(file: string): Promise<WalletRecipients> {
    const text = await secretJsonText('VAULT_WALLETS_FILE', file);
    return WalletRecipients.of(text, `VAULT_WALLETS_FILE ${file}`);
  }

  /** The same of a text; `name` is what a refusal calls it. */
  static of(text: string, name: string): WalletRecipients {
    const file = secretJsonObject(text, name);
    for (const wallet of Object.keys(file)) {
      if (wallet in readers) continue;
      throw new SettingsError(`${name} has something that is none of ${wallets().join(', ')}.`);
    }
    return new WalletRecipients({
      applePay: listed(file, 'applePay', name),
      googlePay: listed(file, 'googlePay', name),
      samsungPay: listed(file, 'samsungPay', name),
      clickToPay: listed(file, 'clickToPay', name),
    });
  }

  /**
   * Opens a token with the keys that are for one of these entities; undefined where there are none.
   */
  open(
    wallet: WalletName,
    token: string,
    { entityIds, now }: { readonly entityIds: readonly EntityId[]; readonly now: Date },
  ): WalletOpening | undefined {
    const isFor = ({ entityIds: owners }: Owned<object>): boolean =>
      owners?.some((owner) => entityIds.some((one) => one === owner)) ?? true;
    switch (wallet) {
      case 'applePay': {
        const own = this.recipients.applePay.filter(isFor).map(({ recipient }) => recipient);
        const [first] = own;
        if (first === undefined) return undefined;
        const merchants = new Map(own.flatMap((one) => [...one.merchants]));
        return openApplePayToken(token, { ...first, merchants }, now);
      }
      case 'googlePay':
        return firstOpened(this.recipients.googlePay.filter(isFor), ({ recipient }) => {
          const isNamed = !recipient.recipientId.startsWith(OF_MERCHANT);
          const named = { ...recipient, ...(isNamed && { gatewayMerchantIds: entityIds }) };
          return openGooglePayToken(token, named, now);
        });
      case 'samsungPay': {
        const own = this.recipients.samsungPay.filter(isFor);
        if (own.length === 0) return undefined;
        const privateKeys = new Map(own.flatMap(({ recipient }) => [...recipient.privateKeys]));
        return openSamsungPayToken(token, { privateKeys }, now);
      }
      case 'clickToPay':
        return firstOpened(this.recipients.clickToPay.filter(isFor), ({ recipient }) =>
          openClickToPayToken(token, recipient, now),
        );
    }
  }
}

/** The first that opens; else what the first one says. */
function firstOpened<Recipient>(
  recipients: readonly Recipient[],
  open: (recipient: Recipient) => WalletOpening,
): WalletOpening | undefined {
  let refused: WalletOpening | undefined;
  for (const recipient of recipients) {
    const opening = open(recipient);
    if (opening.kind === 'opened') return opening;
    refused ??= opening;
  }
  return refused;
}

/** How one entry of a wallet's `recipients` is read, with what the wallet has for all of them. */
const readers = {
  applePay: (of: JsonFields) => {
    const roots = textsIn(of['roots'], 'roots');
    const [shared] = [applePayRecipient({ merchants: [], roots })];
    return (one: JsonFields) => {
      const [certificate, privateKey] = ['certificate', 'privateKey'].map((key) =>
        textIn(one, key),
      );
      const merchants = [{ certificate: certificate ?? '', privateKey: privateKey ?? '' }];
      // The chains that lead to a root are found once for all merchants.
      return { ...shared, merchants: applePayRecipient({ merchants, roots }).merchants };
    };
  },
  googlePay: (of: JsonFields) => {
    const keys = of['rootSigningKeys'];
    const rootSigningKeys = typeof keys === 'string' ? keys : JSON.stringify(keys ?? {});
    return (one: JsonFields) =>
      googlePayRecipient({
        recipientId: textIn(one, 'recipientId'),
        privateKeys: textsIn(one['privateKeys'], 'privateKeys'),
        rootSigningKeys,
      });
  },
  samsungPay: () => (one: JsonFields) =>
    samsungPayRecipient({
      keys: [{ keyId: textIn(one, 'keyId'), privateKey: textIn(one, 'privateKey') }],
    }),
  clickToPay: (of: JsonFields) => {
    const systems = srcSystems(systemsIn(of['systems']));
    return (one: JsonFields) => {
      const keys = [{ keyId: textIn(one, 'keyId'), privateKey: textIn(one, 'privateKey') }];
      return clickToPayRecipient({ srcDpaId: textIn(one, 'srcDpaId'), keys, systems });
    };
  },
} as const satisfies Readonly<Record<WalletName, (of: JsonFields) => (one: JsonFields) => unknown>>;

function wallets(): readonly string[] {
  return Object.keys(readers);
}

type RecipientOf<Wallet extends WalletName> = ReturnType<ReturnType<(typeof readers)[Wallet]>>;

function listed<Wallet extends WalletName>(
  file: JsonFields,
  wallet: Wallet,
  name: string,
): readonly Owned<{ readonly recipient: RecipientOf<Wallet> }>[] {
  if (file[wallet] === undefined) return [];
  const where = `${name}, ${wallet}`;
  const of = jsonObjectIn(file[wallet], where);
  const { recipients } = of;
  if (!Array.isArray(recipients) || recipients.length > RECIPIENTS_MAX) {
    throw new SettingsError(`${where} needs a list of at most ${RECIPIENTS_MAX} recipients.`);
  }
  const read = named(where, () => readers[wallet](of)) as (one: JsonFields) => RecipientOf<Wallet>;
  return recipients.map((one: unknown, index) => {
    const place = `${where}.recipients[${index}]`;
    const fields = jsonObjectIn(one, place);
    const { entityIds } = fields;
    const recipient = named(place, () => read(fields));
    if (entityIds === undefined) return { recipient };
    return { recipient, entityIds: named(place, () => textsIn(entityIds, 'entityIds')) };
  });
}

/** What a reader does not like says what it is, and never the text that it could not read. */
function named<Result>(place: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const isOurs = error instanceof TypeError || error instanceof RangeError;
    const hasCode = isOurs && 'code' in error;
    const reason = isOurs && !hasCode ? error.message : 'a key or certificate cannot be read';
    throw new SettingsError(`${place}: ${reason.replace(/\.$/, '')}.`);
  }
}

/** Whose signatures count, each with the set of keys that it publishes. */
function systemsIn(value: unknown): Parameters<typeof srcSystems>[0] {
  if (!Array.isArray(value)) throw new TypeError('systems must be a list');
  return value.map((one: unknown) => {
    const system = (typeof one === 'object' && one !== null ? one : {}) as JsonFields;
    const { issuer, keys } = system;
    return issuer === undefined ? { keys } : { keys, issuer: textIn(system, 'issuer') };
  });
}

function textIn(fields: JsonFields, key: string): string {
  const value = fields[key];
  if (typeof value !== 'string' || value === '') throw new TypeError(`${key} must be a text`);
  return value;
}

function textsIn(value: unknown, key: string): readonly string[] {
  const isTexts = Array.isArray(value) && value.every((text) => typeof text === 'string');
  if (!isTexts || value.length === 0) throw new TypeError(`${key} must be a list of texts`);
  return value;
}
