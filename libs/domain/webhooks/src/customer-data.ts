/** What a field of an answer is left out for. */
type Omissions = Readonly<Record<string, string>>;

/** Never in a notification, because it outlives the answer in logs of others (R-WH-09); path → reason. */
export const neverNotified: Omissions = {
  'threeDSecure.verificationId': 'the cryptogram of an authentication pays',
};

/**
 * What is left out for NON_CUSTOMER_DATA (wire contract 9), with all below it: path in an answer → reason.
 * A spec walks the catalogue of parameters, so that a new personal one that is echoed is in here.
 */
export const customerData: Omissions = {
  customer: 'the person',
  billing: "the person's address",
  shipping: 'where the person is, and who else is there',
  cart: 'what the person has bought, and for whom',
  customParameters: 'anything that a shop knows of the person may be in them',
  corporate: 'the firm that buys',
  sender: 'who sends money',
  recipient: 'who gets money',
  airline: 'who travels, where and when',
  'merchant.billing': 'an address that a marketplace has of the person',
  'merchant.shipping': 'the same',
  'job.name': 'a schedule may be named after whom it charges',
  'card.holder': "the person's name",
  bankAccount: 'whose account it is, and where',
  virtualAccount: 'what the person is called at a wallet',
  giftCard: 'who got it, and what was wished',
  'threeDSecure.cardHolderInfo': 'what the issuer tells the person, by name if it likes',
};

/**
 * Personal in a request, yet told in any case; path → reason.
 */
export const toldNevertheless: Omissions = {
  descriptor: "the merchant's own words on the statement, in every answer",
};

/** An object of an answer. */
export type AnswerFields = Readonly<Record<string, unknown>>;

/** The answer without what a table names; objects that are empty then are left out, too. */
export function without(answer: AnswerFields, omissions: Omissions): AnswerFields {
  return remaining(answer, omissions, '') ?? {};
}

function remaining(
  fields: AnswerFields,
  omissions: Omissions,
  above: string,
): AnswerFields | undefined {
  const kept = Object.entries(fields).flatMap(([name, value]) => {
    const path = above + name;
    if (Object.hasOwn(omissions, path) || value === undefined) return [];
    const rest = isObject(value) ? remaining(value, omissions, `${path}.`) : value;
    return rest === undefined ? [] : [[name, rest] as const];
  });
  // What was sent empty stays so.
  if (kept.length === 0 && Object.keys(fields).length > 0) return undefined;
  return Object.fromEntries(kept);
}

function isObject(value: unknown): value is AnswerFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
