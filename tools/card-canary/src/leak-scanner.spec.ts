import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@sluice/testing';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canaryCards, luhnCheckDigit } from './canary-cards.js';
import { leakForms } from './leak-forms.js';
import { LeakScanner } from './leak-scanner.js';

const random = seededRandom('leak scanner');
const cards = canaryCards(random, 240);
const malformedCode = '730918264455';
const scanner = new LeakScanner({ cards, longSecrets: [malformedCode] });

/** The security code contexts that are planted, and in which encodings. */
const codeContexts = [
  (code: string) => `{"card":{"cvv":"${code}"}}`,
  (code: string) => `entityId=x&card.cvv=${code}&amount=1.00`,
  (code: string) => `card.cvv: ${code}, next`,
  (code: string) => `{ cvc: '${code}' }`,
  (code: string) => `"securityCode" => ${code}`,
];
const codeEncodings = [
  { name: 'raw', encode: (text: string) => Buffer.from(text) },
  { name: 'URL-encoded', encode: (text: string) => Buffer.from(encodeURIComponent(text)) },
  {
    name: 'twice URL-encoded',
    encode: (text: string) => Buffer.from(encodeURIComponent(encodeURIComponent(text))),
  },
  { name: 'JSON in JSON', encode: (text: string) => Buffer.from(JSON.stringify(text)) },
  { name: 'UTF-16', encode: (text: string) => Buffer.from(text, 'utf16le') },
  { name: 'upper case', encode: (text: string) => Buffer.from(text.toUpperCase()) },
];

describe('canary cards', () => {
  it('are unique, pass the Luhn test and span the ranges in use', () => {
    expect(new Set(cards.map((card) => card.number)).size).toBe(cards.length);
    for (const { number } of cards) {
      expect(number).toMatch(/^[0-9]{13,19}$/);
      expect(luhnCheckDigit(number.slice(0, -1))).toBe(number.slice(-1));
    }
    expect(new Set(cards.map((card) => card.number.length))).toEqual(new Set([13, 14, 15, 16, 19]));
    expect(luhnCheckDigit('420000000000000')).toBe('0');
  });
});

describe('the leak scanner', () => {
  const places = [
    {
      name: 'random bytes',
      wrap: (leak: Buffer) => [
        randomBytesWithoutDigitsAt(4_000),
        leak,
        randomBytesWithoutDigitsAt(4_000),
      ],
    },
    {
      name: 'a line of a log',
      wrap: (leak: Buffer) => [
        Buffer.from('{"level":30,"msg":"card '),
        leak,
        Buffer.from(' seen"}\n'),
      ],
    },
    { name: 'the very start and end', wrap: (leak: Buffer) => [leak] },
  ];
  const planted = leakForms.flatMap((form) => places.map((place) => ({ form, place })));

  it.each(planted.map(({ form, place }, index) => ({ name: form.name, where: place.name, index })))(
    'finds a number leaked as "$name" in $where',
    ({ index }) => {
      const { form, place } = planted[index] ?? planted[0]!;
      const card = cards[index % cards.length]!;
      const bytes = Buffer.concat(place.wrap(form.encode(card.number)));
      const leaks = scanner.scanBytes(bytes, 'planted');
      expect(leaks.map((leak) => [leak.what, leak.value])).toContainEqual(['number', card.number]);
    },
  );

  it('finds every number of all lengths in every form', () => {
    const missed = cards.flatMap((card) =>
      leakForms
        .filter(({ encode }) => scanner.scanBytes(encode(card.number), 'planted').length === 0)
        .map(({ name }) => `${card.number} as ${name}`),
    );
    expect(missed).toEqual([]);
  });

  it.each(codeEncodings)('finds a security code beside its name, $name', ({ encode }) => {
    const missed = codeContexts.filter((context, index) => {
      const { securityCode } = cards[index * 7]!;
      const leaks = scanner.scanBytes(encode(context(securityCode)), 'planted');
      return !leaks.some((leak) => leak.what === 'securityCode' && leak.value === securityCode);
    });
    expect(missed.map(String)).toEqual([]);
  });

  it.each(['base64', 'hex'] as const)('finds a security code beside its name in %s', (encoding) => {
    for (const [index, prefix] of ['', '{', '{"'].entries()) {
      const { securityCode } = cards[index]!;
      const leak = Buffer.from(`${prefix}"cvv":"${securityCode}"}`).toString(encoding);
      expect(scanner.scanBytes(Buffer.from(leak), 'planted')).toMatchObject([
        { what: 'securityCode', value: securityCode },
      ]);
    }
  });

  it('finds a security code in a long path or word, and none in base64 by chance', () => {
    const { securityCode } = cards.find((card) => card.brand !== 'AMEX')!;
    const ciphertext = [
      `"FSoHMiwV2954ETVPe3ubZ3pkFyvcLino6lJjnxa8fnDcvCTv${securityCode}gvLmW32Gz2XkgJR05qN8eAyM1P8z"`,
      `"cvv${securityCode}gvLmW32Gz2XkgJR05qN8eAyM1P8zvdCRwN6l0vZX"`,
      `"FSoHMiwV2954ETVPe3ubZ3pkFyvcLino6lJjnxa8fnDCVV/${securityCode}="`,
    ];
    for (const text of ciphertext) expect(scanner.scanBytes(Buffer.from(text), 'rows')).toEqual([]);
    const leaked = [
      `GET /v1/payments/8ac7a4a29c1d2e3f019c1d2e3f8ac7a4/cvv/${securityCode}/and/further/on`,
      `FSoHMiwV2954ETVPe3ubZ3pkFyvcLino6lJjnxa8fnDc&cvv=${securityCode}&FSoHMiwV2954ETVPe3ub`,
      `paymentFSoHMiwV2954cvv${securityCode} refused`,
    ];
    for (const text of leaked) {
      expect(scanner.scanBytes(Buffer.from(text), 'log')).toMatchObject([
        { what: 'securityCode', value: securityCode },
      ]);
    }
  });

  it('finds a malformed code of twelve digits anywhere', () => {
    expect(scanner.scanBytes(Buffer.from(`x${malformedCode}y`), 'planted')).toMatchObject([
      { what: 'number', value: malformedCode },
    ]);
  });

  it('finds a four-digit code that is a word of a log, but no process id or time', () => {
    const { securityCode } = cards.find((card) => card.brand === 'AMEX')!;
    expect(scanner.scanLog(`code ${securityCode} refused`, 'log')).toMatchObject([
      { what: 'securityCode', value: securityCode, form: 'a word' },
    ]);
    const harmless = `[${securityCode}] "pid":${securityCode} 12:00:00.${securityCode} a${securityCode}`;
    expect(scanner.scanLog(harmless, 'log')).toEqual([]);
  });

  it('finds nothing in other numbers, masked numbers and random bytes', () => {
    const { number } = cards[0]!;
    const others = canaryCards(seededRandom('others'), 300).map((card) => card.number);
    const text = [...others, `${number.slice(0, 6)}******${number.slice(-4)}`, '"cvv":"***"'];
    expect(scanner.scanLog(text.join('\n'), 'log')).toEqual([]);
    expect(scanner.scanBytes(randomBytes(8 * 1024 * 1024), 'random')).toEqual([]);
  });
});

describe('the leak scanner on a folder', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-leak-scanner-'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('finds leaks at the edge of a chunk, in folders below and in names, and says where', async () => {
    const [first, second, third] = cards as unknown as [
      (typeof cards)[0],
      (typeof cards)[0],
      (typeof cards)[0],
    ];
    const edge = 256 * 1024 - 9;
    await mkdir(join(folder, 'pg_wal'));
    await writeFile(
      join(folder, 'pg_wal', '000000010000000000000001'),
      Buffer.concat([
        Buffer.alloc(edge, 'x'),
        Buffer.from(first.number),
        Buffer.alloc(800_000, 'y'),
      ]),
    );
    await writeFile(join(folder, 'sandbox.log'), `line\nholds ${second.number}\n`);
    await writeFile(join(folder, `core.${third.number}`), '');
    const { leaks, files, bytes } = await scanner.scanFolder(folder);
    expect(leaks.map(({ place, offset, value }) => ({ place, offset, value }))).toEqual(
      expect.arrayContaining([
        { place: 'pg_wal/000000010000000000000001', offset: edge, value: first.number },
        { place: 'sandbox.log', offset: 11, value: second.number },
        { place: `the name of core.${third.number}`, offset: 5, value: third.number },
      ]),
    );
    expect(leaks).toHaveLength(3);
    expect(files).toBe(3);
    expect(bytes).toBeGreaterThan(1_000_000);
  });
});

/** Random bytes whose edges are no digits, so that a planted number's neighbours are not its own. */
function randomBytesWithoutDigitsAt(length: number): Buffer {
  const bytes = random.bytes(length);
  bytes.fill(0xff, 0, 8);
  bytes.fill(0xff, length - 8);
  return bytes;
}
