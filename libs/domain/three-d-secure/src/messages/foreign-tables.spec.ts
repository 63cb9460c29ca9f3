import { describe, expect, it } from '@jest/globals';
import {
  differencesOfNames,
  differencesOfParts,
  differencesOfPlaces,
  differencesOfPresence,
  differencesOfValues,
} from './foreign-comparison-fixture.js';
import { foreignTables } from './foreign-tables-fixture.js';

/** What differs, and why it stays so. */
type Kept = Readonly<Record<string, readonly string[]>>;

const names: Kept = {
  'Their server adds it to what its customers send.': [
    ...['threeDSServerRefNumber', 'threeDSServerOperatorID', 'threeDSServerURL'].map(inRequests),
    ...['threeDSRequestorID', 'threeDSRequestorName'].map(inRequests),
  ],
  'It is for their server, which takes it off.': ['AReq ds (2.1.0, 2.2.0): theirs'],
  'Directory servers add it for issuers; neither server sends it.': [
    ...['dsTransID', 'dsReferenceNumber', 'dsURL', 'deviceInfo'].map(inRequests),
  ],
  'Their server does not hand it on; EMV lets everybody say it.': [
    inRequests('broadInfo'),
    'ARes broadInfo (2.1.0, 2.2.0): ours',
  ],
  'Issuers tell directory servers, who keep it.': [
    'RReq authenticationMethod (2.1.0, 2.2.0): ours',
  ],
  'It came with 2.2.0: an issuer may say it before, and need not.': [
    'RReq sdkTransID (2.1.0): ours',
  ],
  'An app says it to its issuer; their table is that of browsers.': [
    ...['sdkTransID', 'sdkCounterStoA', 'challengeCancel', 'challengeDataEntry'],
    ...['challengeHTMLDataEntry', 'oobContinue', 'resendChallenge'],
  ]
    .map((name) => `CReq ${name} (2.1.0, 2.2.0): ours`)
    .concat(
      ['threeDSRequestorAppURL', 'challengeNoEntry', 'whitelistingDataEntry'].map(
        (name) => `CReq ${name} (2.2.0): ours`,
      ),
    ),
};

function inRequests(name: string): string {
  return `AReq ${name} (2.1.0, 2.2.0): ours`;
}

const places: Kept = {
  'The row says so in words, and requests that are no payment have none.': [
    'AReq transType (2.1.0): app NPA, browser NPA',
    'AReq transType (2.2.0): app NPA, browser NPA, 3RI NPA',
  ],
  'Whether 2.2.0 has it without the shopper is not known here; whoever does not know it ignores it.':
    ['AReq threeDSRequestorChallengeInd (2.2.0): 3RI PA, 3RI NPA'],
  'What is read may be more: it is left alone.': [
    'ARes acsChallengeMandated (2.1.0): 3RI PA, 3RI NPA',
    'ARes cardholderInfo (2.1.0): 3RI PA, 3RI NPA',
    'RReq challengeCancel (2.1.0): 3RI PA, 3RI NPA',
  ],
  'Only browsers have a frame; they do not say for whom it is.': [
    'CReq challengeWindowSize (2.1.0, 2.2.0): app PA, app NPA, 3RI PA, 3RI NPA',
  ],
};

const presence: Kept = {
  'EMV demands it as that of the other address.': [
    'AReq billAddrCountry (2.1.0, 2.2.0): ours where billAddrState is CA',
  ],
  'Issuers get a request without it; an app is demanded to say it (app-elements).': [
    'AReq sdkEncData (2.1.0, 2.2.0): theirs where anything',
  ],
  'What is read may be less: nothing here depends on it.': [
    'ARes acsChallengeMandated (2.2.0): theirs where transStatus is D',
    'RReq acsRenderingType (2.1.0): theirs where anything',
  ],
  'Only browsers have a frame.': ['CReq challengeWindowSize (2.1.0, 2.2.0): theirs where anything'],
};

const anyUuid = (message: string, name: string, versions = '2.1.0, 2.2.0') =>
  `${message} ${name} (${versions}): ours c232ab00-941… of 36`;

const values: Kept = {
  'They say how many characters or digits; ISO and RFC 5321 say which.': [
    'AReq billAddrCountry (2.1.0, 2.2.0): theirs 978 128 123 111 and more',
    'AReq shipAddrCountry (2.1.0, 2.2.0): theirs 978 128 123 111 and more',
    'AReq merchantCountryCode (2.1.0, 2.2.0): theirs 128 123 111 000',
    'AReq purchaseCurrency (2.1.0, 2.2.0): theirs 276 128 123 111 and more',
    'AReq mcc (2.1.0, 2.2.0): theirs AReq Erro -300 a.b. and more',
    'AReq email (2.1.0, 2.2.0): theirs shopper@a.a.… of 254',
  ],
  'No days between two payments are no interval.': [
    'AReq recurringFrequency (2.1.0, 2.2.0): theirs 00 0 000',
  ],
  'Their pattern has one value more than their list of meanings; we send neither before 2.3.1.': [
    'AReq threeDSRequestorAuthenticationInd (2.2.0): theirs 07',
    'AReq threeRIInd (2.2.0): theirs 12',
  ],
  'They say beside it that a request has Y or N alone.': [
    'AReq whiteListStatus (2.2.0): theirs U R E P',
  ],
  'All messages have one row; which one it is, is checked before the table (101, 203).': [
    'AReq messageType (2.1.0, 2.2.0): ours Erro ARes RReq CReq',
    'ARes messageType (2.1.0, 2.2.0): ours AReq Erro RReq CReq',
    'RReq messageType (2.1.0, 2.2.0): ours AReq Erro ARes CReq',
    'CReq messageType (2.1.0, 2.2.0): ours AReq Erro ARes RReq',
    ...['AReq', 'ARes', 'RReq'].flatMap((message) => [
      `${message} messageVersion (2.1.0): ours 2.3.1 2.2.0`,
      `${message} messageVersion (2.2.0): ours 2.1.0 2.3.1`,
    ]),
    'CReq messageVersion (2.1.0, 2.2.0): ours 2.3.1',
  ],
  'EMV has any UUID (RFC 4122), they version 4 alone, which ours are.': [
    ...['threeDSServerTransID', 'sdkAppID', 'sdkTransID'].map((name) => anyUuid('AReq', name)),
    ...['threeDSServerTransID', 'acsTransID', 'dsTransID', 'sdkTransID'].map((name) =>
      anyUuid('ARes', name),
    ),
    ...['threeDSServerTransID', 'acsTransID', 'dsTransID'].map((name) => anyUuid('RReq', name)),
    anyUuid('RReq', 'sdkTransID', '2.2.0'),
    ...['threeDSServerTransID', 'acsTransID'].map((name) => anyUuid('CReq', name)),
  ],
  'EMV has 20 bytes in base64, and that is 27 characters and a padding of one.': [
    ...['ARes', 'RReq'].map(
      (message) =>
        `${message} authenticationValue (2.1.0, 2.2.0): theirs ${'A'.repeat(28)} ${'1'.repeat(28)} ${'A'.repeat(26)}==`,
    ),
  ],
  'EMV has two characters, they at most two.': [
    'ARes eci (2.1.0, 2.2.0): theirs Y N A U and more',
    'RReq eci (2.1.0, 2.2.0): theirs Y N A U and more',
  ],
  'It is verified where roots are known (JWS), and no message may be of any length.': [
    'ARes acsSignedContent (2.1.0, 2.2.0): ours Y N A U and more',
    'ARes acsSignedContent (2.1.0, 2.2.0): theirs a.b.cccccccc… of 16001 a.b.cccccccc… of 64000 a.b.cccccccc… of 64001',
  ],
  'What is read may have what earlier versions had and later ones have.': [
    'RReq challengeCancel (2.1.0): ours 02 03',
    'RReq challengeCancel (2.2.0): ours 02',
  ],
};

const parts: Kept = {
  'EMV has 15 digits, as E.164 has them with the country’s code.': [
    ...['homePhone', 'mobilePhone', 'workPhone'].map(
      (name) =>
        `AReq ${name}.subscriber (2.1.0, 2.2.0): ours 20261127150000 1111111111111 111111111111111 20260230120000 and more`,
    ),
  ],
  'EMV demands both; an app says them.': [
    'AReq deviceRenderOptions.sdkInterface (2.1.0, 2.2.0): demanded by one alone',
    'AReq deviceRenderOptions.sdkUiType (2.1.0, 2.2.0): demanded by one alone',
  ],
  'Networks may have their own, as EMV keeps 80 to 99 for them.': [
    'AReq deviceRenderOptions.sdkUiType (2.1.0, 2.2.0): ours 85 80 81 82 and more',
    'ARes acsRenderingType.acsUiTemplate (2.1.0, 2.2.0): ours 85 80 81 82 and more',
    'RReq acsRenderingType.acsUiTemplate (2.1.0, 2.2.0): ours 85 80 81 82 and more',
  ],
};

describe('our tables beside those of a server that is not ours', () => {
  it('has all of theirs: a message of each kind in each version', () => {
    const rows = foreignTables.map(({ message, versions, elements }) => [
      `${message} ${versions.join(' ')}`,
      elements.length,
    ]);
    expect(Object.fromEntries(rows)).toEqual({
      ...{ 'AReq 2.1.0': 71, 'AReq 2.2.0': 78, 'ARes 2.1.0': 20, 'ARes 2.2.0': 23 },
      ...{ 'RReq 2.1.0': 15, 'RReq 2.2.0': 18, 'CReq 2.1.0 2.2.0': 6 },
    });
  });

  it.each([
    ['the same elements', differencesOfNames, names],
    ['them in the same channels and categories', differencesOfPlaces, places],
    ['them demanded under the same conditions', differencesOfPresence, presence],
    ['them of the same length and values', differencesOfValues, values],
    ['the same parts of objects', differencesOfParts, parts],
  ])('have %s, but for what is listed with its reason', (_, differences, kept) => {
    expect([...differences()].sort()).toEqual(Object.values(kept).flat().sort());
  });
});
