import { describe, expect, it } from '@jest/globals';
import { catalogue, meaningOf, requirementOf, structures } from '../src/catalogue.js';
import { kinds, referenceKinds } from '../src/kinds.js';
import type { Condition, Parameter } from '../src/parameter.js';
import { referenceStructures } from '../src/reference-rows.js';
import { tolerated } from '../src/tolerated.js';
import { expectedKeys, faultsOfRow } from './catalogue-faults.js';
import { interfaceRows } from './interface-rows.js';
import { rowsBeyondTheInterface } from './rows-beyond-the-interface.js';
import { schemaTakes } from './schema-shapes.js';

const rows = Object.entries(catalogue as Readonly<Record<string, Parameter>>);
const rowsByKey = new Map(rows);

/** Every key that the catalogue has or ought to have. */
const allKeys = [...new Set([...expectedKeys, ...rowsByKey.keys()])];

/** Texts in which anything can be written and which are not personal all the same. */
const reasonsInClear: readonly { readonly keys: RegExp; readonly reason: string }[] = [
  ...rowsBeyondTheInterface.flatMap(({ key, reasonInClear: reason }) =>
    reason === undefined ? [] : [{ keys: wholly(key), reason }],
  ),
  {
    keys: /^merchant(?:Transaction|Invoice)Id$/,
    reason: "the merchant's references, by which payments are found and books compared",
  },
  {
    keys: /^(?:lifecycleId|standingInstruction\.(?:initialTransactionId|agreementId)|recurringMigration\.connectorTxId[123])$/,
    reason: 'ids of card networks and acquirers',
  },
  {
    keys: /^(?:merchant\.(?!data)|threeDSecure\.(?:merchant\.|v2\.[a-z]+\.requestor)|risk\.(?:channelId|serviceId|merchantWebsite)$)/,
    reason: 'the merchant as a business',
  },
  {
    keys: /^(?:cart\.items\[n\]\.(?:merchantItemId|sku|sellerId|productCode|partNumber|vatReferenceNumber)|marketPlace\.sellers\[n\]\.id)$/,
    reason: 'what is bought and of whom, by number',
  },
  {
    keys: /^(?:applePay\.card(?:Network|Type)|cart\.items\[n\]\.(?:originalPrice|shippingMethod)|cart\.payments\[n\]\.brand|airline\.(?:thirdPartyBooking|bookingtype|ticketDeliveryMethod)|risk\.brand)$/,
    reason: 'words of a list that the interface does not print',
  },
];

function wholly(key: string): RegExp {
  return new RegExp(`^${key.replaceAll(/[.[\]]/g, String.raw`\$&`)}$`);
}

describe('the catalogue against the interface', () => {
  it('has read the whole list', () => {
    const keys = interfaceRows.map(({ section, key }) => `${section} ${key}`);
    expect(new Set(keys).size).toBe(474);
    expect(interfaceRows.every(({ requirement }) => /^[RCO]$/.test(requirement))).toBe(true);
  });

  // Notation, values, requirement and section; the values at the bounds of the notation; who uses
  // it, who sees it, when it is demanded and what it cannot come together with.
  it.each(allKeys)('%s is as the interface has it', (key) => {
    expect([...faultsOfRow(key, rowsByKey.get(key))]).toEqual([]);
  });

  it('refuses none of its names', () => {
    for (const { name } of interfaceRows) {
      const example = name.replaceAll('[n]', '[0]').replace(/\[(name|key|brand)\]/, '[abc]');
      expect([name, meaningOf(example).kind]).not.toEqual([name, 'unknown']);
    }
  });

  it('refuses none of the names that clients of the family send', () => {
    for (const name of tolerated) {
      expect([name, meaningOf(name.replace('[n]', '[0]')).kind]).toEqual([name, 'known']);
    }
  });
});

describe('rows', () => {
  it('have unique keys over all tables', () => {
    const keys = Object.values(structures).flatMap((table) => Object.keys(table));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(Object.keys(catalogue));
  });

  it.each(rows)('%s has one accepted and one refused example in its form', (_, row) => {
    const named = [...(row.testDirectives?.values() ?? [])];
    for (const format of [row.format, ...(row.nameFormat ? [row.nameFormat] : []), ...named]) {
      expect(format.accepts(format.accepted)).toBe(true);
      expect(format.accepts(format.refused)).toBe(false);
      expect(format.parse(format.accepted)).toBeDefined();
      expect(format.text).not.toBe('');
      expect(format.message).not.toBe('');
    }
  });

  it.each(rows)('%s has a schema that agrees with its examples', (_, { format }) => {
    expect(schemaTakes(format.schema, format.accepted)).toBe(true);
    // What it takes besides is asked of the values at the bounds, above.
    const isRefused = !schemaTakes(format.schema, format.refused);
    expect(isRefused || format.schemaIsWider !== undefined).toBe(true);
  });

  it.each(rows)('%s is described in one sentence', (_, { description, since }) => {
    expect(description).toMatch(/^[A-Z][^\n]{9,200}\.$/);
    expect(since).toMatch(/^[0-9]+\.[0-9]+\.[0-9]+$/);
  });

  it('call required what is refused without it, and nothing else', () => {
    const elsewhere: string[] = [];
    for (const [key, row] of rows) {
      for (const { text, demanded, isAdvice } of [
        ...[row.requirement, ...Object.values(row.requirementIn ?? {})],
      ]) {
        if (text === undefined) continue;
        expect([key, text, text.startsWith('required')]).toEqual([key, text, isAdvice !== true]);
        expect([key, isAdvice === true && demanded !== false]).toEqual([key, false]);
        if (isAdvice !== true && demanded === false) elsewhere.push(key);
      }
    }
    expect(elsewhere).toEqual(['entityId', 'card.cvv']);
  });

  it('name existing keys in their conditions', () => {
    const conditions = rows.flatMap(([, row]) =>
      [row.requirement, ...Object.values(row.requirementIn ?? {})]
        .map(({ demanded }) => demanded)
        .filter((demanded): demanded is Condition => typeof demanded === 'object'),
    );
    expect(conditions.length).toBeGreaterThan(0);
    const known = [...rowsByKey.keys(), ...tolerated];
    for (const key of conditions.flatMap(({ keys }) => keys)) expect(known).toContain(key);
  });

  // A card says what is meant even where it is not taken: a wallet's, decrypted; so does a
  // registration, which is tolerated where it is not served, and so does an external server's proof.
  // The token of a wallet is not ignored beside a card, but refused.
  it('are not demanded because of what the request ignores', () => {
    const looking = rows.flatMap(([key, row]) =>
      kinds.flatMap((kind) => {
        const demanded = requirementOf(row, kind)?.demanded;
        return typeof demanded === 'object'
          ? demanded.keys.map((other) => ({ key, kind, other }))
          : [];
      }),
    );
    expect(looking.length).toBeGreaterThan(100);
    const meantAnywhere = [
      ...['card.number', 'registrationId'],
      ...['applePay', 'googlePay', 'samsungPay', 'clickToPay'].map(
        (wallet) => `${wallet}.paymentToken`,
      ),
      ...['eci', 'verificationId', 'dsTransactionId'].map((proof) => `threeDSecure.${proof}`),
    ];
    const ignored = looking.filter(({ kind, other }) => {
      const row = rowsByKey.get(other);
      return row !== undefined && !row.kinds.includes(kind) && !meantAnywhere.includes(other);
    });
    expect(ignored).toEqual([]);
  });

  it('demand something else only where they apply', () => {
    for (const [, row] of rows) {
      for (const kind of kinds) {
        if (row.requirementIn?.[kind]) expect(row.kinds).toContain(kind);
        if (row.formatIn?.[kind]) expect(row.kinds).toContain(kind);
        if (row.nameFormatIn?.[kind]) expect(row.kinds).toContain(kind);
        if (!row.kinds.includes(kind)) expect(requirementOf(row, kind)).toBeUndefined();
      }
    }
  });

  it('with brackets have a form for the name in them', () => {
    for (const [key, row] of rows) {
      const isMap = key.endsWith(']') && !key.includes('schemeData');
      expect([key, row.nameFormat !== undefined]).toEqual([key, isMap]);
    }
  });

  it('have a sentence for a rule over several, which is no message of an error', () => {
    const ruled = referenceStructures().flatMap(({ rows: shown }) =>
      shown.flatMap(({ key, rule }) => {
        const conflict = rowsByKey.get(key)?.conflict;
        return conflict === undefined ? [] : [{ key, rule, conflict }];
      }),
    );
    expect(ruled.length).toBeGreaterThan(4);
    for (const { key, rule, conflict } of ruled) {
      expect([key, rule]).toEqual([key, expect.stringContaining(` ${conflict.rule}`)]);
      expect(conflict.rule).toMatch(/^[A-Z].*\.$/);
      expect(rule).not.toContain(conflict.message);
      const bare = conflict.rule.replaceAll(/`[^`]*`/g, '');
      expect([key, /[a-z]\.[a-z]/i.test(bare)]).toEqual([key, false]);
    }
    expect(ruled.find(({ key }) => key === 'currency')?.rule).toContain(
      'No payment begins in a currency that ISO 4217 has withdrawn;',
    );
  });

  it('of what refers to a transaction are personal only where the merchant writes freely, and the day it is due', () => {
    const taken = rows.filter(
      ([, { sensitivity, kinds: of }]) =>
        sensitivity === 'personal' && referenceKinds.some((kind) => of.includes(kind)),
    );
    // docs/how-to/forget-a-payment.md names them: of a forgotten payment they are not kept.
    expect(taken.map(([key]) => key)).toEqual([
      ...['descriptor', 'merchantMemo', 'transactionPurposeAccount'],
      ...['transactionDueDate', 'customParameters[name]'],
    ]);
  });

  // Page 0035: the catalogue decides, and what it leaves in clear is written down with a reason.
  it('in which a person could be named are personal, but for these', () => {
    const named = ['Jane Doe, jane@example.org', 'https://shop.example/?mail=jane@example.org'];
    const open = rows.filter(
      ([, { kept, sensitivity, format }]) =>
        kept && sensitivity === 'none' && named.some((text) => format.accepts(text)),
    );
    const inClear = open.map(([key]) => key);
    expect(inClear.filter((key) => !reasonsInClear.some(({ keys }) => keys.test(key)))).toEqual([]);
    for (const { keys, reason } of reasonsInClear) {
      expect([reason, inClear.some((key) => keys.test(key))]).toEqual([reason, true]);
    }
  });

  it('with card data or secrets are neither kept nor echoed', () => {
    const hidden = rows.filter(([, { sensitivity }]) =>
      ['accountData', 'secret'].includes(sensitivity),
    );
    expect(hidden.map(([key]) => key)).toContain('card.cvv');
    for (const [, row] of hidden) expect([row.kept, row.echo]).toEqual([false, false]);
  });
});
