import type { OfferedSrcSystem } from '@sluice/contracts';
import type { EntityId } from '@sluice/identifiers';
import {
  type ClientCertificate,
  type JsonFields,
  jsonObjectIn,
  secretJsonObject,
  secretJsonText,
  SettingsError,
} from '@sluice/service';
import { createSecureContext } from 'node:tls';

/** A merchant as Apple knows it. */
export interface ApplePayMerchant extends ShownMerchant {
  readonly merchantIdentifier: string;
  /** Apple's merchant identity certificate, by which it knows who asks. */
  readonly identity: ClientCertificate;
}

/** A merchant as Google knows it. */
export interface GooglePayMerchant extends ShownMerchant {
  readonly gateway: string;
  readonly merchantId?: string;
}

/** A merchant as the SRC systems of Click to Pay know it: all of them, because each has other cards. */
export interface ClickToPayMerchant {
  readonly displayName?: string;
  readonly systems: readonly OfferedSrcSystem[];
}

/** What sheets show of a merchant, and where it is at home. */
interface ShownMerchant {
  readonly displayName?: string;
  readonly countryCode: string;
}

/** Whose pages an entry is for: channels or merchants; absent: everybody's. */
type Owned<Merchant> = Merchant & { readonly entityIds?: readonly string[] };

/** One installation has so many entries of a wallet at most. */
const MERCHANTS_MAX = 1_000;
/** What sheets have room for. */
const TEXT_LENGTH_MAX = 255;
const COUNTRY = /^[A-Z]{2}$/;
/** Visa, Mastercard, American Express and Discover have one each. */
const SYSTEMS_MAX = 4;
const GLOBAL = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*){0,3}$/;
const WALLETS = ['applePay', 'googlePay', 'clickToPay'];

/** Who takes which wallet on its pages. */
export class WalletMerchants {
  private constructor(
    private readonly applePay: readonly Owned<ApplePayMerchant>[],
    private readonly googlePay: readonly Owned<GooglePayMerchant>[],
    private readonly clickToPay: readonly Owned<ClickToPayMerchant>[],
  ) {}

  /** Nobody takes any. */
  static readonly none = new WalletMerchants([], [], []);

  /**
   * Reads the file of CHECKOUTS_WALLETS_FILE; docs/how-to/take-wallets.md says what is in it.
   * @throws SettingsError with a sentence that repeats nothing of the file
   */
  static async read(file: string): Promise<WalletMerchants> {
    const text = await secretJsonText('CHECKOUTS_WALLETS_FILE', file);
    return WalletMerchants.of(text, `CHECKOUTS_WALLETS_FILE ${file}`);
  }

  /** The same of a text; `name` is what a refusal calls it. */
  static of(text: string, name: string): WalletMerchants {
    const file = secretJsonObject(text, name);
    const foreign = Object.keys(file).some((key) => !WALLETS.includes(key));
    if (foreign)
      throw new SettingsError(`${name} has something that is none of ${WALLETS.join(', ')}.`);
    return new WalletMerchants(
      listed(file['applePay'], `${name}, applePay`, applePayMerchant),
      listed(file['googlePay'], `${name}, googlePay`, googlePayMerchant),
      listed(file['clickToPay'], `${name}, clickToPay`, clickToPayMerchant),
    );
  }

  /** The entry of the first of these entities that has one; else the one that is everybody's. */
  applePayOf(entityIds: readonly EntityId[]): ApplePayMerchant | undefined {
    return entryFor(this.applePay, entityIds);
  }

  /** The same of Google. */
  googlePayOf(entityIds: readonly EntityId[]): GooglePayMerchant | undefined {
    return entryFor(this.googlePay, entityIds);
  }

  /** The same of Click to Pay. */
  clickToPayOf(entityIds: readonly EntityId[]): ClickToPayMerchant | undefined {
    return entryFor(this.clickToPay, entityIds);
  }
}

function entryFor<Merchant>(
  entries: readonly Owned<Merchant>[],
  entityIds: readonly EntityId[],
): Merchant | undefined {
  for (const entityId of entityIds) {
    const own = entries.find((entry) => entry.entityIds?.includes(entityId));
    if (own !== undefined) return own;
  }
  return entries.find((entry) => entry.entityIds === undefined);
}

function applePayMerchant(fields: JsonFields): ApplePayMerchant {
  assertOnly(fields, ['merchantIdentifier', 'certificate', 'privateKey', ...SHOWN]);
  const identity = { cert: textIn(fields, 'certificate'), key: textIn(fields, 'privateKey') };
  // Throws where the two do not belong together.
  createSecureContext(identity);
  const merchantIdentifier = textIn(fields, 'merchantIdentifier');
  return { merchantIdentifier, identity, ...shownOf(fields) };
}

function googlePayMerchant(fields: JsonFields): GooglePayMerchant {
  assertOnly(fields, ['gateway', 'merchantId', ...SHOWN]);
  const { merchantId } = fields;
  return {
    gateway: textIn(fields, 'gateway'),
    ...(merchantId !== undefined && { merchantId: textIn(fields, 'merchantId') }),
    ...shownOf(fields),
  };
}

function clickToPayMerchant(fields: JsonFields): ClickToPayMerchant {
  assertOnly(fields, ['systems', 'displayName', 'entityIds']);
  const { systems, displayName } = fields;
  const isList = Array.isArray(systems) && systems.length > 0 && systems.length <= SYSTEMS_MAX;
  if (!isList) throw new TypeError(`systems must be a list of 1 to ${SYSTEMS_MAX}`);
  return {
    systems: systems.map((one: unknown) => srcSystem(one)),
    ...(displayName !== undefined && { displayName: textIn(fields, 'displayName') }),
  };
}

function srcSystem(value: unknown): OfferedSrcSystem {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as JsonFields;
  assertOnly(fields, ['script', 'global', 'srcInitiatorId', 'srcDpaId']);
  const [script, global] = [textIn(fields, 'script'), textIn(fields, 'global')];
  const isAddress = URL.canParse(script) && new URL(script).protocol === 'https:';
  if (!isAddress) throw new TypeError('script must be an address that begins with https://');
  if (!GLOBAL.test(global)) throw new TypeError('global must be a name, or names with dots');
  const srcInitiatorId = textIn(fields, 'srcInitiatorId');
  return { script, global, srcInitiatorId, srciDpaId: textIn(fields, 'srcDpaId') };
}

const SHOWN = ['displayName', 'countryCode', 'entityIds'];

function shownOf(fields: JsonFields): ShownMerchant {
  const countryCode = textIn(fields, 'countryCode');
  if (!COUNTRY.test(countryCode)) throw new TypeError('countryCode must be of two capital letters');
  const hasName = fields['displayName'] !== undefined;
  return { countryCode, ...(hasName && { displayName: textIn(fields, 'displayName') }) };
}

function assertOnly(fields: JsonFields, known: readonly string[]): void {
  const isForeign = Object.keys(fields).some((key) => !known.includes(key));
  if (isForeign) throw new TypeError(`only ${known.join(', ')} are known`);
}

function listed<Merchant extends object>(
  value: unknown,
  where: string,
  read: (fields: JsonFields) => Merchant,
): readonly Owned<Merchant>[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > MERCHANTS_MAX) {
    throw new SettingsError(`${where} must be a list of at most ${MERCHANTS_MAX} merchants.`);
  }
  return value.map((one: unknown, index) => {
    const place = `${where}[${index}]`;
    const fields = jsonObjectIn(one, place);
    return named(place, () => {
      const { entityIds } = fields;
      const merchant = read(fields);
      return entityIds === undefined ? merchant : { ...merchant, entityIds: textsIn(entityIds) };
    });
  });
}

/** What a reader does not like says what it is, and never the text that it could not read. */
function named<Result>(place: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const isOurs = error instanceof TypeError && !('code' in error);
    const reason = isOurs ? error.message : 'certificate and privateKey cannot be used together';
    throw new SettingsError(`${place}: ${reason}.`);
  }
}

function textIn(fields: JsonFields, key: string): string {
  const value = fields[key];
  const isText = typeof value === 'string' && value !== '';
  if (!isText) throw new TypeError(`${key} must be a text`);
  const isLong = key !== 'certificate' && key !== 'privateKey' && value.length > TEXT_LENGTH_MAX;
  if (isLong) throw new TypeError(`${key} must have at most ${TEXT_LENGTH_MAX} characters`);
  return value;
}

function textsIn(value: unknown): readonly string[] {
  const isTexts = Array.isArray(value) && value.every((text) => typeof text === 'string');
  if (!isTexts || value.length === 0) throw new TypeError('entityIds must be a list of texts');
  return value;
}
