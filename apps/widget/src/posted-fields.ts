/** Name and value of one field. */
export type PostedField = readonly [name: string, value: string];

/** What is sent beside the card's number and security code. */
export interface PostedFields {
  readonly fields: readonly PostedField[];
  /** A sentence for each that is not sent. */
  readonly complaints: readonly string[];
}

/** Typed in one field, and sent as two. */
const OWN = ['card.expiry', 'card.expiryMonth', 'card.expiryYear', 'card.number', 'card.cvv'];

/**
 * What the form's inputs say, those included that the page has put into it (wire contract 10). Number and
 * security code are in the frames and nowhere else: inputs of such names are the page's mistake.
 */
export function postedFields(inputs: Iterable<readonly [string, unknown]>): PostedFields {
  const fields: PostedField[] = [];
  const complaints: string[] = [];
  for (const [name, value] of inputs) {
    if (typeof value !== 'string' || value === '' || name === '' || name === 'card.expiry')
      continue;
    const complaint = complaintOf(name);
    if (complaint === undefined) fields.push([name, value]);
    else complaints.push(`The input ${name} is not sent: ${complaint}.`);
  }
  return { fields, complaints };
}

function complaintOf(name: string): string | undefined {
  if (OWN.includes(name)) return 'the form has a field of its own for it';
  const isForeign =
    name.startsWith('customParameters[') && !name.startsWith('customParameters[SHOPPER_');
  return isForeign ? 'custom parameters of a page begin with SHOPPER_' : undefined;
}
