import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { catalogue, catalogueEntries } from './catalogue.js';
import { type Kind, newPaymentKinds, unservedKinds } from './kinds.js';
import { openApiDocument } from './open-api.js';
import { paymentExamples, referenceExamples } from './open-api-examples.js';
import { parseForm } from './form-parser.js';
import * as limits from './limits.js';
import { keyPattern } from './key-pattern.js';
import { checkForm } from './violations.js';
import { kindTitles } from './reference-rows.js';
import { referenceTables } from './reference-tables.js';
import { tolerated } from './tolerated.js';

const { MAP_NAMES_MAX, PARAMETER_ERRORS_MAX, PARAMETERS_MAX } = limits;
/** A name with more parts is of no row, and the bytes of a character are everybody's. */
const NOT_TO_MEET = ['NESTING_MAX', 'CHARACTER_BYTES_MAX'];

interface FormSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly patternProperties: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** Every key of a JSON text, at whatever depth. */
function* keysIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    yield key;
    yield* keysIn(member);
  }
}

/** Every regular expression of a JSON Schema: values of `pattern`, keys of `patternProperties`. */
function patternsIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    if (key === 'pattern' && typeof member === 'string') return [member];
    const keys = key === 'patternProperties' ? Object.keys(member as object) : [];
    return [...keys, ...patternsIn(member)];
  });
}

describe('the OpenAPI document', () => {
  const text = JSON.stringify(openApiDocument());
  const document = JSON.parse(text) as Document;
  const schemaOf = (name: string) => document.components.schemas[name] as FormSchema;

  it('is right OpenAPI 3.1 by the official schemas', async () => {
    const validator = new Validator();
    expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('is not called right with a mistake in it', async () => {
    const wrong = text.replace('"description":"Approved or pending."', '"describtion":"x"');
    expect(await new Validator().validate(JSON.parse(wrong))).toMatchObject({ valid: false });
  });

  it('has no key that is too long for readers of YAML', () => {
    for (const key of keysIn(document)) expect(JSON.stringify(key).length).toBeLessThan(1_024);
  });

  it('has patterns that readers in other languages know', () => {
    const patterns = patternsIn(document);
    expect(patterns.length).toBeGreaterThan(300);
    // `\\p{L}`, `\\u{1F600}` and named groups are JavaScript's own, or of few others.
    for (const pattern of patterns) expect(pattern).not.toMatch(/\\[pP]|\\u\{|\(\?</u);
  });

  it('names whom it is told as the server', () => {
    const server = { url: '/', description: 'This installation' };
    expect(openApiDocument(server)).toEqual({ ...document, servers: [server] });
  });

  const strictKeys = catalogueEntries
    .filter(({ row }) => row.onlyWith === undefined)
    .map(({ key }) => key);

  const requests = [
    ...['PaymentRequest', 'ReferenceRequest', 'RegistrationRequest', 'CheckoutRequest'],
    ...['AuthenticationRequest', 'RiskRequest', 'ScheduleRequest'],
  ];

  it.each(requests)('has a form %s, and no answer of that name', (name) => {
    expect(schemaOf(name).properties).toHaveProperty('entityId');
  });

  it.each(strictKeys)('has %s', (key) => {
    const forms = [...requests, 'LaterParameters'].map(schemaOf);
    const queried = JSON.stringify(document.paths['/v1/query']).includes(`"name":"${key}"`);
    // The placeholder is no name of a map or an index; these are.
    const name = key.replaceAll('[n]', '[0]').replace(/\[(?:name|key|brand)\]/, '[abc]');
    const described = forms.some(
      ({ properties, patternProperties }) =>
        Object.hasOwn(properties, name) ||
        Object.keys(patternProperties).some((pattern) => new RegExp(pattern, 'u').test(name)),
    );
    expect(described || queried).toBe(true);
  });

  it('has the paths that are served', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(
      Object.entries(document.paths).map(([path, item]) => [
        path,
        Object.keys(item).filter((key) => ['get', 'post', 'delete'].includes(key)),
      ]),
    ).toEqual([
      ['/v1/payments', ['post']],
      ['/v1/threeDSecure', ['post']],
      ['/v1/threeDSecure/{id}', ['get']],
      ['/v1/risk', ['post']],
      ['/v1/payments/{id}', ['get', 'post']],
      ['/v1/registrations', ['post']],
      ['/v1/registrations/{id}', ['get', 'post', 'delete']],
      ['/v1/registrations/{id}/extendlife', ['post']],
      ['/v1/registrations/{id}/payments', ['post']],
      ['/v1/checkouts', ['post']],
      ['/v1/checkouts/{id}', ['post', 'delete']],
      ['/v1/checkouts/{id}/form', ['get']],
      ['/v1/checkouts/{id}/registrations/{registrationId}', ['delete']],
      ['/v1/checkouts/{id}/brands', ['get']],
      ['/v1/checkouts/{id}/card-range', ['post']],
      ['/v1/checkouts/{id}/wallets', ['get']],
      ['/v1/checkouts/{id}/wallets/applePay', ['post']],
      ['/v1/checkouts/{id}/payment', ['get', 'post']],
      ['/v1/checkouts/{id}/registration', ['get', 'post']],
      ['/checkouts', ['post']],
      ['/checkouts/{id}', ['post', 'delete']],
      ['/checkouts/{id}/payment', ['get', 'post']],
      ['/checkouts/{id}/registration', ['get', 'post']],
      ['/scheduling/v1/schedules', ['get', 'post']],
      ['/scheduling/v1/schedules/{id}', ['get', 'delete']],
      ['/scheduling/v1/schedules/{id}/reschedule', ['post']],
      ['/scheduling/v1/schedules/{id}/deschedule', ['post']],
      ['/v1/query', ['get']],
      ['/v1/query/{id}', ['get']],
      ['/v3/query', ['get']],
      ['/v3/query/{id}', ['get']],
      ['/v1/resultcodes', ['get']],
    ]);
  });

  it('lets a payment begin with the id of a registration where others refer to a payment', () => {
    const { requestBody } = document.paths['/v1/payments/{id}']?.['post'] as {
      readonly requestBody: {
        readonly content: Readonly<Record<string, { readonly schema: unknown }>>;
      };
    };
    expect(requestBody.content['application/x-www-form-urlencoded']?.schema).toMatchObject({
      anyOf: [
        { $ref: '#/components/schemas/ReferenceRequest' },
        { $ref: '#/components/schemas/PaymentRequest' },
      ],
    });
  });

  it('refers only to schemas that exist', () => {
    const references = Array.from(text.matchAll(/"#\/components\/schemas\/([A-Za-z]+)"/g));
    expect(references.length).toBeGreaterThan(10);
    for (const [, name = ''] of references) expect(schemaOf(name)).toBeDefined();
  });

  it('demands of a payment what increments demand too, and says who uses what', () => {
    const { required, properties } = schemaOf('PaymentRequest');
    expect(required).toEqual(['amount', 'currency', 'paymentType']);
    expect(properties['card.number']).toMatchObject({ writeOnly: true, 'x-used-by': ['payment'] });
    expect(properties['applePay.paymentToken']).toMatchObject({ writeOnly: true });
    expect(properties['bankAccount.iban']).toMatchObject({ 'x-used-by': ['bankAccountPayment'] });
    expect(properties['referenceUuid']).toBeDefined();
    expect(properties['overridePaymentType[brand]']).toBeUndefined();
  });

  it('demands only the type of every reference', () => {
    const { required, properties } = schemaOf('ReferenceRequest');
    expect(required).toEqual(['paymentType']);
    expect(properties).not.toHaveProperty(['card.number']);
    expect(properties['currency']?.['x-required-when']).toContain('`amount` is sent');
  });

  it('says the limits that a client can meet', () => {
    const { Result, Payment, PaymentRequest } = document.components.schemas as Readonly<
      Record<string, FormSchema & { readonly description: string }>
    >;
    expect(Result?.properties['parameterErrors']).toMatchObject({
      maxItems: PARAMETER_ERRORS_MAX + 1,
      description: expect.stringContaining('says how many'),
    });
    expect(Payment?.properties['customParameters']).toMatchObject({ maxProperties: MAP_NAMES_MAX });
    expect(PaymentRequest?.description).toContain(`${PARAMETERS_MAX} parameters`);
    const maps = JSON.stringify(PaymentRequest?.patternProperties).split('names in brackets');
    // customParameters, merchant.data and risk.parameters.
    expect(maps).toHaveLength(4);
  });

  it('says of each request that has no path, or ends at the door, that it is not served', () => {
    const { info } = JSON.parse(text) as { readonly info: { readonly description: string } };
    const lines = referenceTables();
    const refused = newPaymentKinds.filter((kind) => unservedKinds.get(kind) === 'refused');
    for (const kind of refused) {
      const { head, title } = kindTitles[kind];
      expect(lines).toContain(
        `| ${head} | ${title} | not yet: checked, recorded, and refused with 600.200`,
      );
      expect(info.description).toContain(title);
    }
    const { head, title } = kindTitles.report;
    expect(lines).toContain(`| ${head} | ${title} | not yet: there is no such path: 404 |`);
    expect(info.description).toContain(title);
    expect(lines).toContain('| job | schedule | yes |');
    expect(lines).toContain('| CP | capture | yes |');
  });

  it('has the payment types of each request, and examples that are right', () => {
    const types = (name: string) => schemaOf(name).properties['paymentType']?.['enum'];
    expect(types('PaymentRequest')).toEqual(['PA', 'DB', 'CD']);
    const referring = ['CP', 'RV', 'RF', 'RB', 'RC', 'CB', 'CR', 'PA', 'RG'];
    expect(types('ReferenceRequest')).toEqual(referring);
    const { properties } = schemaOf('PaymentRequest');
    for (const [name, example] of [
      ['paymentType', 'PA'],
      ['paymentBrand', 'VISA'],
      ['card.number', '4200000000000000'],
    ] as const) {
      expect(properties[name]?.['examples']).toEqual([example]);
    }
  });

  it.each([
    ['PaymentRequest', 'payments', paymentExamples.debit.fields],
    ['ReferenceRequest', 'transaction', referenceExamples.refund.fields],
  ] as const)('has in %s the names that are taken, and no others', (name, place, fields) => {
    const { properties, patternProperties } = schemaOf(name);
    const patterns = Object.keys(patternProperties).map((pattern) => new RegExp(pattern, 'u'));
    const names = [...Object.keys(catalogue), ...tolerated].flatMap((key) => [
      key.replaceAll('[n]', '[0]').replace(/\[(?:name|key|brand)\]/, '[abc]'),
      `${key.replace(/\[.*/, '')}x`,
    ]);
    for (const each of new Set(names)) {
      const parsed = parseForm(new URLSearchParams({ ...fields, [each]: 'x' }).toString());
      if (parsed.kind !== 'form') throw new Error('the form cannot be read');
      const { violations } = checkForm(parsed.form, place, 'INTERNAL');
      const isTaken = !violations.some(({ message }) => message === 'is not an allowed parameter');
      const isDescribed = each in properties || patterns.some((pattern) => pattern.test(each));
      expect([each, isDescribed]).toEqual([each, isTaken]);
    }
  });

  it('has maps as patterns that take their names', () => {
    const patterns = Object.keys(schemaOf('PaymentRequest').patternProperties);
    const pattern = patterns.find((each) => each.includes('customParameters')) ?? '';
    expect('customParameters[a.b]').toMatch(new RegExp(pattern, 'u'));
    expect('customParameters[a][b]').not.toMatch(new RegExp(pattern, 'u'));
    expect('customParameters[ab]').not.toMatch(new RegExp(pattern, 'u'));
  });

  it('has indexes as the parser takes them', () => {
    const patterns = Object.keys(schemaOf('PaymentRequest').patternProperties).map(
      (pattern) => new RegExp(pattern, 'u'),
    );
    for (const index of ['0', '9', '10', '98', '99', '999', '1000', '01', '-1', '']) {
      for (const name of [`cart.items[${index}].name`, `airline.passengers[${index}].name`]) {
        const described = patterns.some((pattern) => pattern.test(name));
        expect([name, described]).toEqual([name, keyPattern(name) !== undefined]);
      }
    }
  });

  it.each([...Object.entries(paymentExamples), ...Object.entries(referenceExamples)])(
    'has an example %s that is right, or says what is wrong',
    (title, { summary, fields }) => {
      const parsed = parseForm(new URLSearchParams(fields).toString());
      if (parsed.kind !== 'form') throw new Error('the example cannot be read');
      const place = title in paymentExamples ? 'payments' : 'transaction';
      const { violations } = checkForm(parsed.form, place, 'INTERNAL');
      expect(violations).toHaveLength(summary.includes('two mistakes') ? 2 : 0);
    },
  );

  it('says that lists have pages in version 3 alone, and what each version takes by id (D-71)', () => {
    const { Payments, Records } = document.components.schemas as Record<
      string,
      { readonly properties: object }
    >;
    expect(Payments?.properties).not.toHaveProperty('pages');
    expect(Records?.properties).toHaveProperty('pages');
    const taken = (version: string): readonly unknown[] => {
      const { get } = document.paths[`/${version}/query/{id}`] ?? {};
      const { parameters } = get as { parameters: readonly { name: string }[] };
      return parameters.map(({ name }) => name);
    };
    expect(taken('v1')).toEqual(['entityId', 'testMode']);
    expect(taken('v3')).toEqual([
      ...['entityId', 'testMode', 'paymentTypes', 'paymentMethods'],
      ...['includeLinkedTransactions', 'limit', 'pageNo'],
    ]);
  });
});

describe('the reference tables', () => {
  const lines = referenceTables().split('\n');

  it('have a row per parameter in both tables', () => {
    for (const key of Object.keys(catalogue)) {
      expect(lines.filter((line) => line.startsWith(`| \`${key}\` |`))).toHaveLength(2);
    }
  });

  it('have as many cells in each row as in its head', () => {
    const cells = (line: string): number => line.replaceAll(String.raw`\|`, '').split('|').length;
    let head = 0;
    for (const line of lines) {
      if (!line.startsWith('|')) head = 0;
      else if (head === 0) head = cells(line);
      else expect(cells(line)).toBe(head);
    }
  });

  it('say where the amount may be left out', () => {
    const start = lines.indexOf('## Basic payment parameters');
    const matrix = lines.slice(start).filter((line) => /^\| (?:Parameter|`amount`) \|/.test(line));
    const [, , columns = [], marks = []] = matrix.map((line) => line.slice(0, -2).split(' | '));
    const mark = (kind: Kind): string | undefined => marks[columns.indexOf(kindTitles[kind].head)];
    expect(mark('payment')).toBe('R');
    expect(mark('reversal')).toBe('O');
    expect(mark('read')).toBeUndefined();
    expect(mark('query')).toBe('-');
    expect(mark('checkout')).toBe('C');
  });

  it('tell what is demanded from what is advice', () => {
    const rowOf = (key: string) => lines.find((line) => line.startsWith(`| \`${key}\` |`));
    expect(rowOf('threeDSecure.eci')).toContain('Expected where an external server');
    expect(rowOf('customer.identificationDocId')).toContain('Required when');
    expect(rowOf('numberOfCaptures')).not.toMatch(/Required|Expected/);
    expect(rowOf('bankAccount.iban')).toContain('`paymentBrand` is `DIRECTDEBIT*`, or');
    expect(lines.join(' ')).toContain('the gateway takes the request without it');
  });

  it('list the values that the notation does not, and mask nothing in a list', () => {
    const rowOf = (key: string) => lines.find((line) => line.startsWith(`| \`${key}\` |`));
    expect(rowOf('giftCard.type')).toContain('SECRETARYS_DAY');
    expect(rowOf('giftCard.type')).not.toContain('masked');
    expect(rowOf('threeDSecure.npa')).not.toContain('masked');
    expect(rowOf('descriptor')).toContain('Card numbers in it are masked, and accounts');
    expect(rowOf('billing.street1')).toContain(
      'It or `billing.street2` must have more than digits',
    );
  });

  it('say what names may be in what the widget posts', () => {
    const row = lines.find((line) => line.startsWith('| `customParameters[name]` |'));
    expect(row).toContain('In a payment from the widget its name must begin with SHOPPER_');
  });

  it('say every limit of a request and its errors', () => {
    const start = lines.indexOf('## Limits');
    const text = lines.slice(start, lines.indexOf('## What a test installation reads', start));
    const numbers = Object.entries(limits).filter(([name]) => !NOT_TO_MEET.includes(name));
    expect(numbers.length).toBeGreaterThan(9);
    for (const [name, value] of numbers) {
      const written = value.toLocaleString('en-US');
      expect([name, text.some((line) => line.includes(written))]).toEqual([name, true]);
    }
    expect(text.join('\n')).toContain(
      '| Value of `customer.browserFingerprint.value` | 16,384 bytes |',
    );
  });

  it('explain every column', () => {
    for (const { head, title } of Object.values(kindTitles)) {
      expect(lines.join('\n')).toContain(`\n| ${head} | ${title} | `);
    }
  });
});
