import { isRecord, type KubernetesObject, nameOf } from '../json-schema.js';
import { type Container, isWorkload, type Manifests, ofKind } from '../manifests.js';
import { DUMMY_SECRET } from '../rendered-overlay.js';
import { eachContainer } from './containers.js';

/** Words by which a secret is called, alone or as a part of a name. */
const SECRET_WORDS = [
  ...['password', 'passwords', 'passwd', 'passphrase', 'secret', 'secrets', 'token', 'tokens'],
  ...['key', 'keys', 'credential', 'credentials'],
];
/** The last word of what only says where a secret is, or of what kind. */
const ABOUT_SECRETS = ['file', 'path', 'location', 'type', 'encryption'];
/** `password` of `password = hunter2` and `"password": "hunter2"`. */
const ASSIGNMENT = /^[\s"'-]*([A-Za-z][\w.-]{0,80})["']?\s{0,8}[:=]\s{0,8}["']?[^\s"',]/;
/** `--password` of `--password=hunter2` and of what stands before `hunter2`, `password` of `password=hunter2`. */
const OPTION = /^(--?[A-Za-z][\w.-]{0,80}|[A-Za-z][\w.-]{0,80}(?==))/;
/** 32 bytes or more as text: what a key is, and no setting. */
const KEY_TEXT = /^(?:[A-Za-z0-9+/]{43,}={0,2}|[0-9a-fA-F]{64,})$/;
/** Fields that say which entry or which label: Kubernetes' own, and those of dashboards. */
const FIELDS_ABOUT = ['key', 'topologyKey'];

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** Whether somebody who calls something so means a secret. */
function isCalledSecret(name: string): boolean {
  const words = wordsOf(name);
  const isAbout = ABOUT_SECRETS.includes(words.at(-1) ?? '');
  return !isAbout && words.some((word) => SECRET_WORDS.includes(word));
}

/** A secret is a file (D-47): nothing in plain text is called or looks like one. */
export function nothingIsCalledSecret(manifests: Manifests): readonly string[] {
  const ofMaps = ofKind(manifests, 'ConfigMap').flatMap((map) =>
    [...entriesOf(map, 'data'), ...entriesOf(map, 'binaryData')].flatMap(([key, value]) =>
      secretsIn(key, value).map((name) => `${nameOf(map)}: ${name} ${IS_PLAIN}`),
    ),
  );
  const ofOthers = manifests.objects
    .filter(({ kind }) => !['ConfigMap', 'Secret'].includes(kind))
    .flatMap((one) =>
      fieldsIn(isWorkload(one) ? [one.metadata, one.spec.template.metadata] : one).map(
        (name) => `${nameOf(one)}: ${name} ${IS_PLAIN}`,
      ),
    );
  return [...eachContainer(manifests, secretsOfContainer), ...ofMaps, ...ofOthers];
}

const IS_PLAIN = 'is a secret in plain text; it belongs in a Secret';

function secretsOfContainer({ env = [], args = [], command }: Container): readonly string[] {
  const words = [...(Array.isArray(command) ? (command as unknown[]) : []), ...args].map(String);
  return [
    ...env
      .filter((one) => isPlain(one.name, one.value ?? ''))
      .map((one) => `${one.name} is a secret in plain text; name a file in ${one.name}_FILE`),
    ...words
      .map((word) => OPTION.exec(word)?.[1] ?? '')
      .filter(isCalledSecret)
      .map((name) => `${name} is a secret in an argument; let it read a file`),
  ];
}

/** Fields of other objects that hold a secret, and pairs of a name and a value that do, however deep. */
function fieldsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap(fieldsIn);
  if (!isRecord(value)) return [];
  const { name, value: paired } = value;
  const isPair = typeof name === 'string' && typeof paired === 'string' && isPlain(name, paired);
  const fields = Object.entries(value).filter(([field, part]) => {
    const isSecret = SECRET_WORDS.includes(wordsOf(field).at(-1) ?? '');
    return isSecret && typeof part === 'string' && !FIELDS_ABOUT.includes(field);
  });
  return [
    ...(isPair ? [name] : []),
    ...fields.map(([field]) => field),
    ...Object.values(value).flatMap(fieldsIn),
  ];
}

function isPlain(name: string, value: string): boolean {
  return isCalledSecret(name) || KEY_TEXT.test(value);
}

function secretsIn(key: string, value: string): readonly string[] {
  if (isPlain(key, value)) return [key];
  return value
    .split('\n')
    .map((line) => ASSIGNMENT.exec(line)?.[1] ?? '')
    .filter((name) => isCalledSecret(name) && !FIELDS_ABOUT.includes(name))
    .map((name) => `${name} in ${key}`);
}

/** Whatever a Secret of the local overlay holds comes from a file that is not committed. */
export function secretsAreNotCommitted(manifests: Manifests): readonly string[] {
  const dummy = Buffer.from(DUMMY_SECRET).toString('base64');
  return ofKind(manifests, 'Secret').flatMap((secret) =>
    [
      ...entriesOf(secret, 'data').filter(([, value]) => value !== dummy),
      ...entriesOf(secret, 'stringData'),
    ].map(
      ([key]) =>
        `${nameOf(secret)}: ${key} is in a file of the repository; take it from a file below secrets/, ` +
        'never from literals or envs',
    ),
  );
}

function entriesOf(
  object: KubernetesObject,
  field: string,
): readonly (readonly [string, string])[] {
  const entries = object[field];
  return isRecord(entries)
    ? Object.entries(entries).map(([key, value]) => [key, String(value)] as const)
    : [];
}
