import { isRequired } from './check-message.js';
import { factsOf, type Field } from './field-rows.js';
import { fieldsOf } from './field-tables.js';
import {
  type ForeignElement,
  type ForeignForm,
  foreignObjects,
  type ForeignPart,
  foreignTables,
  isForeignIn,
  isForeignRequired,
  isForeignValue,
} from './foreign-tables-fixture.js';
import { isObject } from './formats.js';
import {
  type DeviceChannel,
  deviceChannels,
  type Message,
  messageCategories,
  type MessageCategory,
  type MessageType,
  type MessageVersion,
} from './message-kinds.js';
import { acceptedBy, candidates } from './messages-fixture.js';

/** An element of which both have a row. */
interface Shared {
  readonly message: MessageType;
  readonly version: MessageVersion;
  readonly theirs: ForeignElement;
  /** A row per channel, or one. */
  readonly ours: readonly Field[];
}

const tables = foreignTables.flatMap(({ message, versions, elements }) =>
  versions.map((version) => ({ message, version, elements })),
);

const shared: readonly Shared[] = tables.flatMap(({ message, version, elements }) =>
  elements
    .map((theirs) => ({
      ...{ message, version, theirs },
      ours: fieldsOf(message, version).filter(({ name }) => name === theirs.name),
    }))
    .filter(({ ours }) => ours.length > 0),
);

/** The same of several versions in one line: `AReq ds (2.1.0, 2.2.0): what differs`. */
function byVersion(
  found: readonly (Pick<Shared, 'message' | 'version'> & { name: string; what: string })[],
): readonly string[] {
  const versions = new Map<string, MessageVersion[]>();
  for (const { message, version, name, what } of found) {
    const key = JSON.stringify([message, name, what]);
    versions.set(key, [...(versions.get(key) ?? []), version]);
  }
  return [...versions].map(([key, its]) => {
    const [message, name, what] = JSON.parse(key) as [string, string, string];
    return `${message} ${name} (${its.join(', ')}): ${what}`;
  });
}

/** Elements that one of both has alone. */
export function differencesOfNames(): readonly string[] {
  const found = tables.flatMap(({ message, version, elements }) => {
    const ours = [...new Set(fieldsOf(message, version).map(({ name }) => name))];
    const theirs = elements.map(({ name }) => name);
    const alone = (names: readonly string[], others: readonly string[], what: string) =>
      names
        .filter((name) => !others.includes(name))
        .map((name) => ({ message, version, name, what }));
    return [...alone(ours, theirs, 'ours'), ...alone(theirs, ours, 'theirs')];
  });
  return byVersion(found);
}

const places = deviceChannels.flatMap((channel) =>
  messageCategories.map((category) => ({ channel, category })),
);

function inWords({ channel, category }: (typeof places)[number]): string {
  return `${{ '01': 'app', '02': 'browser', '03': '3RI' }[channel]} ${category === '01' ? 'PA' : 'NPA'}`;
}

/** Channels and categories in which one of both has an element and the other has not. */
export function differencesOfPlaces(): readonly string[] {
  const found = shared.flatMap(({ message, version, theirs, ours }) => {
    const alone = places.filter(
      ({ channel, category }) =>
        ours.some(({ channels }) => channels.includes(channel)) !==
        isForeignIn(theirs, channel, category),
    );
    if (alone.length === 0) return [];
    return [{ message, version, name: theirs.name, what: alone.map(inWords).join(', ') }];
  });
  return byVersion(found);
}

const twoDigits = Array.from({ length: 100 }, (_, index) => String(index).padStart(2, '0'));

/** What conditions of either ask for, one fact each; none: what is always demanded. */
const facts: readonly Message[] = [
  {},
  ...twoDigits.map((threeDSRequestorAuthenticationInd) => ({ threeDSRequestorAuthenticationInd })),
  ...twoDigits.map((threeRIInd) => ({ threeRIInd })),
  ...Array.from('YNUACDRI', (transStatus) => ({ transStatus })),
  ...[true, false].map((browserJavascriptEnabled) => ({ browserJavascriptEnabled })),
  ...['Y', 'N'].map((acsDecConInd) => ({ acsDecConInd })),
  ...['Y', 'N'].map((threeDSRequestorDecReqInd) => ({ threeDSRequestorDecReqInd })),
  ...[{ payTokenInd: true }, { whiteListStatus: 'Y' }],
  ...[{ shipAddrState: 'CA' }, { billAddrState: 'CA' }],
];

/** Whether both know such a message: other lists say which values and channels one of them has alone. */
function isKnownToBoth(fact: Message, of: Shared, channel: DeviceChannel): boolean {
  const others = shared.filter(
    ({ message, version }) => message === of.message && version === of.version,
  );
  return Object.entries(fact).every(([name, value]) =>
    others.some(
      ({ theirs, ours, version }) =>
        theirs.name === name &&
        isForeignIn(theirs, channel, '01') &&
        isForeignValue(theirs, value) &&
        takes(
          ours.filter(({ channels }) => channels.includes(channel)),
          value,
          version,
        ),
    ),
  );
}

function takes(fields: readonly Field[], value: unknown, version: MessageVersion): boolean {
  return fields.some(({ format, name }) => format.faultsIn(value, name, version).length === 0);
}

/** Facts with which one of both demands an element and the other does not, where both may have it. */
export function differencesOfPresence(): readonly string[] {
  const found = shared.flatMap((each) => {
    const { message, version, theirs } = each;
    const alone = { ours: new Set<string>(), theirs: new Set<string>() };
    for (const { channel, category } of places) {
      if (!isForeignIn(theirs, channel, category)) continue;
      for (const fact of facts.filter((one) => isKnownToBoth(one, each, channel))) {
        const demands = demandsOf(each, fact, channel, category);
        if (demands.we !== demands.they) alone[demands.we ? 'ours' : 'theirs'].add(said(fact));
      }
    }
    return (['ours', 'theirs'] as const)
      .filter((who) => alone[who].size > 0)
      .map((who) => {
        const when = alone[who].has(ALWAYS) ? ALWAYS : [...alone[who]].join(', ');
        return { message, version, name: theirs.name, what: `${who} where ${when}` };
      });
  });
  return byVersion(found);
}

const ALWAYS = 'anything';

function said(fact: Message): string {
  const [name] = Object.keys(fact);
  return name === undefined ? ALWAYS : `${name} is ${String(fact[name])}`;
}

function demandsOf(
  { ours, version, theirs }: Shared,
  fact: Message,
  channel: DeviceChannel,
  category: MessageCategory,
): { readonly we: boolean; readonly they: boolean } {
  const known = factsOf(fact, version, { channel, category });
  return {
    we: ours.some((field) => field.channels.includes(channel) && isRequired(field, known)),
    they: isForeignRequired(theirs, fact, channel, category),
  };
}

const lengths = [
  ...[1, 2, 3, 4, 5, 6, 8, 9, 11, 12, 13, 15, 16, 17, 19, 20, 28, 29, 32, 33, 35, 36, 37, 40, 41],
  ...[45, 46, 48, 49, 50, 51, 64, 65, 128, 129, 254, 255, 256, 257, 2_048, 2_049],
  ...[16_000, 16_001, 64_000, 64_001],
];

/** A key and an extension at their greatest length, and a character more. */
const keyOf = (length: number) => ({ kty: ''.padEnd(length - '{"kty":""}'.length, 'k') });
const extension = { name: 'more', id: 'A0', criticalityIndicator: false, data: {} };

/** At the borders of all formats: every list, every length, and what looks nearly right. */
const probes: readonly unknown[] = [
  ...new Set<unknown>([
    ...candidates.filter((value) => !isObject(value) && !Array.isArray(value)),
    ...[...twoDigits, ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')],
    ...lengths.flatMap((length) => [
      ...['A', '1', 'Ö'].map((character) => character.repeat(length)),
      'https://a.example/'.padEnd(length, 'a'),
      'shopper@'.padEnd(length, 'a.'),
      'a.b.'.padEnd(length, 'c'),
    ]),
    ...['20260230', '20261301', '20260230120000', '20261127240000', '2613', '2600', '0230'],
    ...['000', '004', '901', '955', '964', '999', '10080', '10081', '00000', '00001', '99999'],
    ...['2.2.0', 'AReq', 'ARes', 'RReq', 'CReq', '::1', '192.0.2.999', '+1234', '-1234', '-0'],
    ...['A'.repeat(26) + '==', 'c232ab00-9414-11ec-b3c8-9f6bdeced846'],
    ...[256, 257].map(keyOf),
    ...[10, 11].map((length) => Array.from({ length }, () => extension)),
  ]),
];

const SHOWN_MAX = 4;

function shown(values: readonly unknown[]): string {
  const texts = values.slice(0, SHOWN_MAX).map((value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.length > 30 ? `${text.slice(0, 12)}… of ${text.length}` : text;
  });
  return [...texts, ...(values.length > SHOWN_MAX ? ['and more'] : [])].join(' ');
}

/** Values that one of both takes alone; of objects, see their parts. */
export function differencesOfValues(): readonly string[] {
  const found = shared
    .filter(({ theirs }) => theirs.type !== 'object')
    .flatMap(({ message, version, theirs, ours }) =>
      alone(theirs, (value) => takes(ours, value, version)).map((what) => ({
        ...{ message, version, name: theirs.name, what },
      })),
    );
  return byVersion(found);
}

function alone(theirs: ForeignForm, isOurs: (value: unknown) => boolean): readonly string[] {
  const ours = probes.filter((value) => isOurs(value) && !isForeignValue(theirs, value));
  const others = probes.filter((value) => !isOurs(value) && isForeignValue(theirs, value));
  return [
    ...(ours.length > 0 ? [`ours ${shown(ours)}`] : []),
    ...(others.length > 0 ? [`theirs ${shown(others)}`] : []),
  ];
}

/** Of a list what each of it is. */
function itemOf({ type, ...part }: ForeignPart): ForeignForm {
  return type === undefined || type === 'array' ? part : { ...part, type };
}

/** The same of the parts of objects, and where one of both demands a part alone. */
export function differencesOfParts(): readonly string[] {
  const found = foreignObjects.flatMap(({ elements, parts }) =>
    shared
      .filter(({ theirs }) => elements.includes(theirs.name))
      .flatMap(({ message, version, theirs, ours }) =>
        parts.flatMap((part) => {
          const whole = ours.flatMap((field) => acceptedBy(field)).find(Boolean);
          const withPart = (value: unknown): unknown => {
            const one: unknown = Array.isArray(whole) ? whole[0] : whole;
            const changed = { ...(one as Message), [part.name]: value };
            return Array.isArray(whole) ? [changed] : changed;
          };
          const isOurs = (value: unknown) => takes(ours, withPart(value), version);
          const isDemanded = !isOurs(undefined);
          const isList = part.type === 'array';
          const what = [
            ...alone(itemOf(part), (value) => isOurs(isList ? [value] : value)),
            ...(isDemanded === (part.inclusion === 'R') ? [] : ['demanded by one alone']),
          ];
          return what.map((each) => ({
            ...{ message, version, name: `${theirs.name}.${part.name}`, what: each },
          }));
        }),
      ),
  );
  return byVersion(found);
}
