/** What the issuer of a declined card advises, with numbers as its network gives them. */
const ADVICE_OF_CODE: ReadonlyMap<string, string> = new Map([
  // 01: the card's data are outdated.
  ['800.100.151', '01'],
  ['800.100.157', '01'],
  // 02: funds or a limit; try again after three days.
  ['800.100.155', '02'],
  ['800.100.162', '02'],
  ['800.100.163', '02'],
  ['800.100.203', '02'],
  // 03: the account is closed, or it is fraud; do not try again.
  ['800.100.159', '03'],
  ['800.100.165', '03'],
  ['800.100.171', '03'],
  ['800.100.172', '03'],
  // 22: the merchant may not take this here; another route may.
  ['800.100.190', '22'],
]);

/** 51 to 55 and 2221 to 2720: the network whose issuers advise merchants by these numbers. */
const ADVISING_NETWORK = /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/;

/** Shown to merchants as `resultDetails.MerchantAdviceCode`; undefined where nobody advises. */
export function adviceOf(resultCode: string, bin: string | undefined): string | undefined {
  return ADVISING_NETWORK.test(bin ?? '') ? ADVICE_OF_CODE.get(resultCode) : undefined;
}
