import { REFERENCES } from './kinds-in-words.js';
import { Form } from '../src/form.js';
import { NEAR_MISSES } from './example-shapes.js';
import { BY_CARD, demands, NEVER, type Rule } from './row-demands.js';
import { rowsBeyondTheInterface } from './rows-beyond-the-interface.js';

/** The requests of a rule, ready to be checked. */
export interface Probes {
  readonly holds: readonly Form[];
  readonly rests: readonly Form[];
}

const never = probesOf(NEVER);
const probes = demands.map(({ key, kinds, ...rule }) => ({
  key,
  kinds: kinds.split(' '),
  ...probesOf(rule),
}));
const probesBeyondTheInterface = rowsBeyondTheInterface.flatMap(({ key, demands = [] }) =>
  demands.map(({ kinds, ...rule }) => ({ key, kinds: kinds.split(' '), ...probesOf(rule) })),
);

/** When a kind of request demands a parameter, as requests. */
export function demandOf(key: string, kind: string): Probes {
  return (
    probesBeyondTheInterface.find((each) => each.key === key && each.kinds.includes(kind)) ??
    probes.find((each) => each.key.test(key) && each.kinds.includes(kind)) ??
    never
  );
}

/** Interface 2.7, 2.18: of two that would do, either is enough; of all kinds unless these are named. */
const EITHER: readonly { readonly keys: readonly [string, string]; readonly kinds?: string }[] = [
  { keys: ['bankAccount.number', 'bankAccount.iban'] },
  { keys: ['bankAccount.bankCode', 'bankAccount.bic'] },
  {
    keys: ['standingInstruction.initialTransactionId', 'standingInstruction.agreementId'],
    kinds: BY_CARD,
  },
];

/** What may be sent in the place of a parameter, so that its absence is no violation of its own. */
export function insteadOf(key: string, kind: string): string | undefined {
  const pair = EITHER.find(({ keys }) => keys.includes(key));
  const isOfKind = pair?.kinds?.split(' ').includes(kind) ?? true;
  return isOfKind ? pair?.keys.find((each) => each !== key) : undefined;
}

/** Interface 2.17: what needs 3-D Secure 2.2. */
const SINCE_2_2: readonly string[] = [
  'threeDSecure.challengeIndicator',
  'threeDSecure.exemptionFlag',
];

/** Requests that a row's conflict refuses and accepts; undefined for rows without one. */
export function conflictOf(key: string): Probes | undefined {
  if (SINCE_2_2.includes(key)) {
    const version = (text: string): string => `${key}=01&threeDSecure.version=${text}`;
    const holds = ['1.0.2', '2.0.1', '2.1.0'].map(version);
    return probesOf({ holds, rests: [`${key}=01`, ...['2.2.0', '2.3.1'].map(version)] });
  }
  if (key === 'currency') {
    // ISO 4217 has withdrawn these; what was paid in them before is still given back.
    const probes = (codes: readonly string[], types: readonly string[]): string[] =>
      codes.flatMap((code) => types.map((type) => `currency=${code}&paymentType=${type}`));
    const older = ['CP', 'RV', 'RF', 'RC', 'CB', 'CR'];
    return probesOf({
      holds: [...probes(['ANG', 'BGN'], ['DB', 'PA', 'CD', 'RB', 'SD']), 'currency=ANG'],
      rests: [...probes(['ANG', 'BGN'], older), ...probes(['EUR', 'XCG'], ['DB', 'PA', 'RF'])],
    });
  }
  if (key === 'threeDSecure.amount') return fractionsOfAuthentication();
  if (key === 'threeDSecure.eci') return indicatorsOfOutcomes();
  if (key === 'threeDSecure.authenticationStatus') return wordsOfServers();
  if (key === 'threeDSecure.channel') return channelsOfMerchants();
  if (key === 'threeDSecure.authenticationInd') return purposesOfMerchants();
  if (key === 'threeDSecure.dsTransactionId') return idsOfAuthentications();
  if (key === 'overrideHolder') {
    const rests = ['', `${key}=true&registrationId=1`, `${key}=false`, 'registrationId=1'];
    return probesOf({ holds: [`${key}=true`, `${key}=true&card.holder=x`], rests });
  }
  if (key === 'standingInstruction.industryPractice') {
    const practice = (text: string): string => `${key}=${text}`;
    return probesOf({
      holds: ['INCREMENTAL_AUTH', 'REAUTHORIZATION&paymentType=DB'].map(practice),
      rests: ['', ...['NO_SHOW', 'RESUBMISSION', 'DELAYED_CHARGES'].map(practice)],
    });
  }
  if (key === 'standingInstruction.numberOfInstallments') {
    const number = (text: string): string => `${key}=${text}`;
    return probesOf({
      holds: ['0', '00', '000'].map(number),
      rests: ['', ...['1', '01', '10', '100', '999'].map(number)],
    });
  }
  if (key === 'threeDSecure.merchant.url') {
    const address = (text: string): string => `${key}=${text}`;
    return probesOf({
      holds: ['shop.example', '/', '%20', 'ftp://x', 'https://', 'javascript:alert(1)'].map(
        address,
      ),
      rests: ['', ...['http://shop.example', 'https://shop.example/a'].map(address)],
    });
  }
  if (key === 'bankAccount.number') return numbersBesideIbans();
  if (key === 'transactionDueDate') return daysOfDebits();
  return walletsOf(key) ?? streetsOf(key);
}

/** Interface 2.17: what an external server found out agrees with itself and with the card's network. */
function indicatorsOfOutcomes(): Probes {
  const said = (query: string): string => {
    const [brand = '', status = '', eci = '', number = ''] = query.split(' ');
    const outcome = status === '-' ? '' : `&threeDSecure.authenticationStatus=${status}`;
    const card = [
      brand === '-' ? '' : `&paymentBrand=${brand}`,
      number && `&card.number=${number}`,
    ];
    return `threeDSecure.eci=${eci}${outcome}${card.join('')}`;
  };
  return probesOf({
    holds: [
      ...['VISA Y 06', 'VISA A 05', 'VISA Y 02', 'AMEX N 05', 'MASTER Y 05', 'MASTER U 02'],
      // Neither of them claims what the status does.
      ...['VISA Y 07', 'VISA Y 08', 'VISA A 07', 'VISA Y 03', 'MASTER Y 04', 'MASTER A 07'],
      // Another network's, whatever the outcome, and where the number alone says which one it is.
      ...['VISA - 01', 'JCB - 02', 'MASTER - 05', 'MAESTRO - 08', '- - 05 5454545454545454'],
      ...['- Y 07 4111111111111111', 'CARTEBANCAIRE Y 05 5454545454545454', 'UNIONPAY_SMS Y 06'],
      // Of whichever network the card is, none has them.
      ...['CARTEBLEUE A 01 4111111111111111', '- A 05', '- Y 01', 'MADA Y 06', 'GOOGLEPAY N 02'],
    ].map(said),
    rests: [
      ...['VISA Y 05', 'JCB A 06', 'MASTER Y 02', 'MAESTRO A 01', 'VISA N 07', 'MADA A 01'],
      ...['MASTER Y 07', 'MASTER N 06', 'MASTER - 06', 'UNIONPAY Y 02', 'UNIONPAY_SMS A 06'],
      ...['CARTEBANCAIRE Y 02 5454545454545454', 'CARTEBANCAIRE A 06 4111111111111111'],
      ...['CARTEBLEUE Y 02', 'CARTEBLEUE Y 05', '- - 05 4111111111111111', '- Y 02', '- Y 05'],
      ...['VISA - 03', 'VISA - 07', '- Y 02 5454545454545454', 'MASTER U 04'],
      ...['- Y 07', '- U 06', 'GOOGLEPAY A 06'],
    ]
      .map(said)
      .concat(''),
  });
}

/** Interface 2.17: nor does a word. */
function wordsOfServers(): Probes {
  const said = (query: string): string => `threeDSecure.authenticationStatus=${query}`;
  return probesOf({
    holds: ['Y', 'A', 'Y&paymentBrand=VISA', 'A&threeDSecure.version=2.2.0'].map(said),
    rests: ['N', 'U', 'Y&threeDSecure.eci=05', 'A&threeDSecure.verificationId=x']
      .map(said)
      .concat(''),
  });
}

/** Interface 2.17: "only to indicate a merchant-initiated 3RI request", and EMV has it as 03. */
function channelsOfMerchants(): Probes {
  const named = (channel: string): string => `threeDSecure.channel=${channel}`;
  return probesOf({
    holds: ['1', '01', '2', '02', '02&threeDSecure.disable=true'].map(named),
    rests: ['', ...['3', '03', '4', '10', '20', '12', '99'].map(named)],
  });
}

/** EMV 3-D Secure: of a shopper who is not there issuers are told threeRIInd, and no other purpose. */
function purposesOfMerchants(): Probes {
  const named = (query: string): string => `threeDSecure.authenticationInd=${query}`;
  const why = (reason: string): string => `&threeDSecure.threeRIInd=${reason}`;
  const channel = '&threeDSecure.channel=3';
  return probesOf({
    holds: [
      ...[`RECURRING${channel}`, `ADD_CARD${channel}`, `SPLIT_SHIPMENT${channel}`],
      ...[`PAYMENT${why('RECURRING')}`, `INSTALLMENT${channel}${why('RECURRING')}`],
    ].map(named),
    rests: [
      '',
      ...[`PAYMENT${channel}`, `RECURRING${why('RECURRING')}`, 'RECURRING'].map(named),
      `threeDSecure.authenticationInd=_DELAYED_SHIPMENT${channel}${why('DELAYED_SHIPMENT')}`,
    ],
  });
}

/** Interface 2.17: an id says nothing by itself, and is as its version has it. */
function idsOfAuthentications(): Probes {
  const uuid = 'c75f23af-9454-43f6-ba17-130ed529507e';
  const other = 'x'.repeat(36);
  const said = (id: string, more: string): string => `threeDSecure.dsTransactionId=${id}${more}`;
  const eci = '&threeDSecure.eci=05';
  return probesOf({
    holds: [
      ...['', '&threeDSecure.version=2.2.0', '&threeDSecure.authenticationStatus=Y'].map((more) =>
        said(uuid, more),
      ),
      ...['2.1.0', '2.3.1'].map((version) => said(other, `${eci}&threeDSecure.version=${version}`)),
    ],
    rests: [
      ...[eci, '&threeDSecure.verificationId=x', `${eci}&threeDSecure.version=2.2.0`].map((more) =>
        said(uuid, more),
      ),
      said(uuid.toUpperCase(), `${eci}&threeDSecure.version=2.2.0`),
      ...[said(other, eci), said(other, `${eci}&threeDSecure.version=1.0.2`)],
    ],
  });
}

/** Interface 2.7: one account. */
function numbersBesideIbans(): Probes {
  const beside = (number: string): string =>
    `bankAccount.iban=DE89370400440532013000&bankAccount.number=${number}`;
  return probesOf({
    holds: ['1234567890', '37040044', '53201300099'].map(beside),
    rests: [
      ...['0532013000', '532013000', '370400440532013000', 'DE89370400440532013000'].map(beside),
      ...['', 'bankAccount.number=1234567890', 'bankAccount.iban=DE89370400440532013000'],
    ],
  });
}

/** Interface 2.7: "Direct debit due date". */
function daysOfDebits(): Probes {
  const due = (query: string): string => `transactionDueDate=2034-12-01&${query}`;
  return probesOf({
    holds: ['card.number=1', 'card.number=1&paymentBrand=VISA', 'paymentBrand=GIROPAY'].map(due),
    rests: ['', 'registrationId=1', 'paymentBrand=DIRECTDEBIT_SEPA', 'paymentBrand=X'].map(due),
  });
}

const WALLETS: readonly (readonly [prefix: string, brand: string])[] = [
  ...([
    ['applePay', 'APPLEPAY'],
    ['googlePay', 'GOOGLEPAY'],
  ] as const),
  ['samsungPay', 'SAMSUNGPAY'],
  ['clickToPay', 'CLICK_TO_PAY'],
];

/** Interface 2.5, D-69: the structure of a wallet beside the brand of another one. */
function walletsOf(key: string): Probes | undefined {
  const own = WALLETS.find(([prefix]) => key.startsWith(`${prefix}.`));
  if (own === undefined) return undefined;
  const named = (brand: string): string => `${key}=web&paymentBrand=${brand}`;
  const others = WALLETS.filter((each) => each !== own).map(([, brand]) => brand);
  return probesOf({
    holds: [...others, ...others.map((brand) => brand.toLowerCase())].map(named),
    rests: ['', `${key}=web`, ...[own[1], own[1].toLowerCase(), 'VISA', 'PAYPAL'].map(named)],
  });
}

/** ISO 4217: JPY and ISK have no minor unit, EUR has two decimals, KWD three. */
function fractionsOfAuthentication(): Probes {
  const of = (code: string, amount: string): string =>
    `threeDSecure.amount=${amount}&threeDSecure.currency=${code}`;
  return probesOf({
    holds: [
      of('JPY', '1.50'),
      of('ISK', '0.01'),
      of('JPY', '10.05'),
      `${of('JPY', '1.10')}&currency=EUR`,
    ],
    rests: [
      ...[of('JPY', '1.00'), of('JPY', '150'), of('EUR', '1.50'), of('KWD', '1.55')],
      ...[of('JPY', '0.00'), of('zzz', '1.50'), of('JPY', 'x'), 'threeDSecure.amount=1.50', ''],
      ...['threeDSecure.currency=JPY', `${of('EUR', '1.50')}&currency=JPY`],
    ],
  });
}

/**
 * Interface 2.10: the two lines of a street are not digits only, in whichever script, wherever the
 * bill goes; 2.11 has no such rule.
 */
function streetsOf(key: string): Probes | undefined {
  const address = /^((?:merchant\.)?billing)\.street[12]$/.exec(key)?.[1];
  if (address === undefined) return undefined;
  const [street1, street2, house] = ['street1', 'street2', 'houseNumber1'].map(
    (part) => `${address}.${part}`,
  );
  if (key === street1) {
    const holds = ['12', '1%202', '\u0661\u0662', '\uff11\uff12', '\u0967\u0968'].map(
      (digits) => `${street1}=${digits}`,
    );
    const rests = ['', `${street1}=Main+Street`, `${street1}=12&${street2}=Main+Street`];
    return probesOf({
      holds: [
        ...holds,
        ...[`${street1}=12&${street2}=34`, `${street1}=1%202&${street2}=\u0663`],
        // A house number apart leaves street2 without a say.
        `${street1}=12&${street2}=Main&${house}=1`,
      ],
      rests,
    });
  }
  const rests = ['', `${street2}=Main+Street`, `${street1}=12&${street2}=34`];
  return probesOf({ holds: [`${street2}=12`, `${street2}=\u0661`], rests });
}

/** Where a kind of request takes fewer values than the interface's list has for all. */
const OWN_VALUES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // Wire contract 3 and 4: what a payment is; wire contract 6: schedules have a type of their own.
  paymentType: {
    checkout: ['PA', 'DB', 'CD'],
    registration: ['RG'],
    registrationUpdate: ['RR'],
    schedule: ['SD', 'DB', 'PA', 'CD'],
  },
  // Interface 4: a registration request stores, whatever else it says. Wire contract 4: of what was paid with before, RG does.
  createRegistration: {
    registration: ['true'],
    ...Object.fromEntries(REFERENCES.split(' ').map((kind) => [kind, ['false']])),
  },
};

/** The values that each of some kinds takes alone; none for rows that are the same for all. */
export function ownValuesOf(key: string): Readonly<Record<string, readonly string[]>> {
  return OWN_VALUES[key] ?? {};
}

/** Names in brackets as a kind of request takes and refuses them. */
interface OwnNames {
  readonly kind: string;
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
}

/** Interface 2.18: "sent from the client side (widget), the name must start with SHOPPER_". */
const FROM_THE_WIDGET: OwnNames = {
  kind: 'widgetPayment',
  accepted: ['SHOPPER_', 'SHOPPER_a', 'SHOPPER_a.b_9Z', `SHOPPER_${'x'.repeat(56)}`],
  refused: [
    ...['', 'SHOPPER', 'shopper_a', 'Shopper_a', 'xSHOPPER_a', ' SHOPPER_a', 'SHOPPER-a', 'note'],
    ...NEAR_MISSES.filter((each) => !/[._]/.test(each)).map((each) => `SHOPPER_a${each}`),
    ...['SHOPPER_a-b', 'SHOPPER_ä', 'SHOPPER_a b', 'SHOPPER_a\n', `SHOPPER_${'x'.repeat(57)}`],
    ...['forceResultCode', '3DS2_enrolled', 'SHOPPER_x]', 'SHOPPERxa', 'SHOPPER__€', '9HOPPER_a'],
  ],
};

/** Where a kind takes names of a form of its own; undefined for all other rows. */
export function ownNamesOf(key: string): OwnNames | undefined {
  return key === 'customParameters[name]' ? FROM_THE_WIDGET : undefined;
}

const TEST_DIRECTIVES = [
  ...['forceResultCode', 'simulator.fault', 'simulator.avs', 'simulator.cvv'],
  ...['simulator.precondition', 'simulator.advice', '3DS2_enrolled', '3DS2_flow'],
  ...['3DS2_status', '3DS2_delay', '3DS2_fault'],
];

/** Names in brackets that a test installation reads; undefined for rows without them. */
export function testDirectivesOfRow(key: string): readonly string[] | undefined {
  return key === 'customParameters[name]' ? TEST_DIRECTIVES : undefined;
}

function probesOf({ holds, rests }: Rule): Probes {
  return { holds: holds.map(formOf), rests: rests.map(formOf) };
}

function formOf(query: string): Form {
  return new Form(new Map(new URLSearchParams(query)));
}
