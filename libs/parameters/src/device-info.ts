/** The parameter that it stands in. */
export const DEVICE_INFO = 'threeDSecure.deviceInfo';

/** What the SDK of an app says of itself and its device: elements of AReq, by their names (EMV 3-D Secure). */
export interface DeviceInfo {
  readonly elements: Readonly<Record<string, unknown>>;
  /** In which the SDK speaks of this transaction (`messageVersion`); absent: it left that to us. */
  readonly version?: string;
  /** How long the app gives its shopper for a challenge. */
  readonly challengeMinutes: number;
}

/** It; or what is wrong with it, in words that follow "and". */
export type ReadDeviceInfo = { readonly info: DeviceInfo } | { readonly fault: string };

/**
 * How many minutes of a challenge an app may grant: EMV has 5 as the least, and with the most the vault still
 * keeps the security code for the authorization.
 */
const CHALLENGE_MINUTES = { least: 5, most: 20 } as const;
const REFERENCE_CHARACTERS_MAX = 32;
const SCREENS_BEFORE_2_3 = 5;

type Elements = Readonly<Record<string, unknown>>;

/** One element: what it is, where it may be missing what stands for it, and how else it may be written. */
interface ElementRule {
  readonly form: string;
  readonly accepts: (value: unknown) => boolean;
  readonly absent?: unknown;
  readonly made?: (value: unknown) => unknown;
}

const rules: Readonly<Record<string, ElementRule>> = {
  sdkTransID: { form: 'a UUID', accepts: isUuid },
  sdkAppID: { form: 'a UUID', accepts: isUuid },
  sdkReferenceNumber: {
    form: `a text of at most ${REFERENCE_CHARACTERS_MAX} characters`,
    accepts: (value) => isText(value) && value.length <= REFERENCE_CHARACTERS_MAX,
  },
  sdkEncData: { form: 'a text', accepts: isText },
  sdkEphemPubKey: {
    form: 'a public key of the curve P-256 (JWK), without its private part',
    accepts: (value) => publicKeyIn(value) !== undefined,
    made: publicKeyIn,
  },
  sdkMaxTimeout: {
    form: `minutes from 0${CHALLENGE_MINUTES.least} to ${CHALLENGE_MINUTES.most}, two digits`,
    accepts: isMinutes,
    absent: `0${CHALLENGE_MINUTES.least}`,
  },
};

/** What is passed on as it is, and checked by the tables of messages. */
const PASSED: ReadonlySet<string> = new Set([
  ...(['deviceRenderOptions', 'sdkType', 'defaultSdkType', 'splitSdkType'] as const),
  'sdkServerSignedContent',
]);
/** What SDKs say of the message itself. */
const OF_MESSAGE: Readonly<Record<string, readonly unknown[]>> = {
  messageType: ['AReq', 'AuthRequest'],
  deviceChannel: ['01'],
  messageVersion: ['2.1.0', '2.2.0', '2.3.1'],
};
const SCREENS = ['sdkInterface', 'sdkUiType'] as const;

/**
 * Reads `threeDSecure.deviceInfo` (Interface 2.17): a JSON object with what the SDK of an app has made, as text
 * or in base64url. An SDK that says nothing of screens can show all of them, as EMV demands of it.
 */
export function readDeviceInfo(text: string): ReadDeviceInfo {
  const said = objectIn(text);
  if (said === undefined) return wrong('is no JSON object, as text or in base64url');
  const unknown = Object.keys(said).find((name) => !isKnown(name));
  if (unknown !== undefined) return wrong('has elements that an app does not say');
  for (const [name, words] of Object.entries(OF_MESSAGE)) {
    const value = said[name];
    if (value !== undefined && !words.includes(value)) {
      return wrong(`has another ${name} than ${words.join(', ')}`);
    }
  }
  const elements: Record<string, unknown> = {};
  for (const [name, { form, accepts, absent, made }] of Object.entries(rules)) {
    const value = said[name] ?? absent;
    if (value === undefined) return wrong(`lacks ${name}`);
    if (!accepts(value)) return wrong(`has a ${name} that is not ${form}`);
    elements[name] = made === undefined ? value : made(value);
  }
  for (const name of PASSED) if (said[name] !== undefined) elements[name] = said[name];
  const screens = screensIn(said);
  if (screens === undefined) return wrong('has an sdkInterface or sdkUiType that there is not');
  const { messageVersion: version } = said;
  return {
    info: {
      elements: { deviceRenderOptions: screens, ...elements },
      challengeMinutes: Number(elements['sdkMaxTimeout']),
      ...(typeof version === 'string' && { version }),
    },
  };
}

function wrong(what: string): ReadDeviceInfo {
  return { fault: `it ${what}` };
}

function isKnown(name: string): boolean {
  const isOf = (table: object): boolean => Object.hasOwn(table, name);
  return isOf(rules) || isOf(OF_MESSAGE) || PASSED.has(name) || SCREENS.some((one) => one === name);
}

function objectIn(text: string): Elements | undefined {
  const isJson = text.trimStart().startsWith('{');
  if (!isJson && !/^[\w-]+={0,2}$/u.test(text)) return undefined;
  return parsed(isJson ? text : Buffer.from(text, 'base64url').toString('utf8'));
}

function parsed(json: string): Elements | undefined {
  try {
    const value: unknown = JSON.parse(json);
    // Of two of a name, readers take one or the other.
    if (hasNameTwice(json)) return undefined;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Elements) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether an object of it has a name twice. The text is JSON. */
function hasNameTwice(json: string): boolean {
  const open: Set<unknown>[] = [];
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] === '{') open.push(new Set());
    else if (json[at] === '}') open.pop();
    else if (json[at] === '"') {
      const end = endOfText(json, at);
      if (isName(json, end)) {
        const name: unknown = JSON.parse(json.slice(at, end + 1));
        if (open.at(-1)?.has(name) === true) return true;
        open.at(-1)?.add(name);
      }
      at = end;
    }
  }
  return false;
}

/** Where the text that begins here ends: at its second quotation mark that is not escaped. */
function endOfText(json: string, at: number): number {
  let end = at + 1;
  while (end < json.length && json[end] !== '"') end += json[end] === '\\' ? 2 : 1;
  return end;
}

/** Whether a colon follows the text that ends here. */
function isName(json: string, end: number): boolean {
  let next = end + 1;
  while (next < json.length && json[next]?.trim() === '') next += 1;
  return json[next] === ':';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isUuid(value: unknown): boolean {
  return isText(value) && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(value);
}

function isMinutes(value: unknown): boolean {
  if (!isText(value) || !/^[0-9]{2}$/u.test(value)) return false;
  const minutes = Number(value);
  return minutes >= CHALLENGE_MINUTES.least && minutes <= CHALLENGE_MINUTES.most;
}

/** Of a key, what makes it one, and nothing that an SDK adds: an object, or its JSON. */
function publicKeyIn(value: unknown): Elements | undefined {
  const key = typeof value === 'string' ? parsed(value) : value;
  if (typeof key !== 'object' || key === null) return undefined;
  const { kty, crv, x, y, d } = key as Elements;
  const isKey = kty === 'EC' && crv === 'P-256' && isCoordinate(x) && isCoordinate(y);
  // Who has sent the private part has told what the app and the issuer will tell each other.
  return isKey && d === undefined && isOnCurve(x, y) ? { kty, crv, x, y } : undefined;
}

/** P-256 (NIST SP 800-186): y² = x³ - 3x + b, modulo p. */
const CURVE = {
  p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
  b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
};

/** With a point that is on another curve, an issuer's key could be found out. */
function isOnCurve(x: string, y: string): boolean {
  const { p, b } = CURVE;
  const [left, up] = [valueOf(x), valueOf(y)];
  return left < p && up < p && (up * up - left * left * left + 3n * left - b) % p === 0n;
}

function valueOf(coordinate: string): bigint {
  return BigInt(`0x${Buffer.from(coordinate, 'base64url').toString('hex')}`);
}

/** 32 bytes in base64url. */
function isCoordinate(value: unknown): value is string {
  return isText(value) && /^[\w-]{43}$/u.test(value);
}

/** Codes of two digits, or the sum of bits that some SDKs say: 31 is all five. */
function screensIn({ sdkInterface = '03', sdkUiType = ALL_SCREENS }: Elements): object | undefined {
  const isInterface = sdkInterface === '01' || sdkInterface === '02' || sdkInterface === '03';
  const codes = Array.isArray(sdkUiType) ? (sdkUiType as unknown[]) : codesIn(sdkUiType);
  const isScreens = codes.length > 0 && codes.every((code) => isText(code) && isScreen(code));
  return isInterface && isScreens ? { sdkInterface, sdkUiType: codes } : undefined;
}

const ALL_SCREENS = ['01', '02', '03', '04', '05'] as const;

function isScreen(code: string): boolean {
  return /^0[1-7]$/u.test(code);
}

function codesIn(said: unknown): readonly string[] {
  if (!isText(said)) return [];
  if (isScreen(said)) return [said];
  const bits = /^[1-9][0-9]?$/u.test(said) ? Number(said) : 0;
  if (bits >= 2 ** SCREENS_BEFORE_2_3) return [];
  return ALL_SCREENS.filter((_, at) => (bits & (2 ** at)) !== 0);
}
