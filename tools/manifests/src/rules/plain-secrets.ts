import { isRecord, type KubernetesObject, nameOf } from '../json-schema.js';
import { containersOf, type Manifests, ofKind, workloadsOf } from '../manifests.js';
import { DUMMY_SECRET } from '../rendered-overlay.js';

/** Words by which a secret is called, alone or as a part of a name. */
const SECRET_WORDS = [
  ...['password', 'passwords', 'passwd', 'passphrase', 'secret', 'secrets', 'token', 'tokens'],
  ...['key', 'keys', 'credential', 'credentials'],
];
/** The last word of what only says where a secret is, or of what kind. */
const ABOUT_SECRETS = ['file', 'path', 'location', 'type', 'encryption'];
/** `hunter2` of `password = hunter2`, `"password": "hunter2"` and `--password=hunter2`. */
const ASSIGNMENT = /^[\s"'-]*([A-Za-z][\w.-]{0,80})["']?\s{0,8}[:=]\s{0,8}["']?[^\s"',]/;
/** 32 bytes or more as text: what a key is, and no setting. */
const KEY_TEXT = /^(?:[A-Za-z0-9+/]{43,}={0,2}|[0-9a-fA-F]{64,})$/;
/** What a dashboard calls a key is none. */
const DASHBOARD = '.json';

/** Whether somebody who calls something so means a secret. */
export function isCalledSecret(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  return (
    words.some((word) => SECRET_WORDS.includes(word)) && !ABOUT_SECRETS.includes(words.at(-1) ?? '')
  );
}

/** A secret is a file (D-47): no variable, argument or entry of a ConfigMap is called or looks like one. */
export function nothingIsCalledSecret(manifests: Manifests): readonly string[] {
  const ofPods = workloadsOf(manifests).flatMap((workload) =>
    containersOf(workload).flatMap(({ name, env = [], ...rest }) => {
      const words = [rest['command'], rest.args].flatMap((list) =>
        Array.isArray(list) ? list : [],
      );
      return [
        ...env
          .filter((one) => isPlain(one.name, one.value ?? ''))
          .map((one) => `${one.name} is a secret in plain text; name a file in ${one.name}_FILE`),
        ...words
          .filter((word) => lineNames(String(word)).some(isCalledSecret))
          .map((word) => `${String(word).split('=', 1).join('')} is a secret in an argument`),
      ].map((text) => `${nameOf(workload)}, ${name}: ${text}`);
    }),
  );
  const ofMaps = ofKind(manifests, 'ConfigMap').flatMap((map) =>
    entriesOf(map, 'data').flatMap(([key, value]) =>
      secretsIn(key, value).map(
        (name) => `${nameOf(map)}: ${name} is a secret in plain text; it belongs in a Secret`,
      ),
    ),
  );
  return [...ofPods, ...ofMaps];
}

function isPlain(name: string, value: string): boolean {
  return isCalledSecret(name) || KEY_TEXT.test(value);
}

function secretsIn(key: string, value: string): readonly string[] {
  if (isPlain(key, value)) return [key];
  if (key.endsWith(DASHBOARD)) return [];
  return value
    .split('\n')
    .flatMap(lineNames)
    .filter(isCalledSecret)
    .map((name) => `${name} in ${key}`);
}

/** What a line gives a value to, where it does. */
function lineNames(line: string): readonly string[] {
  const name = ASSIGNMENT.exec(line)?.[1];
  return name === undefined ? [] : [name];
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
