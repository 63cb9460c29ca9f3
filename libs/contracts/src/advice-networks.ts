/** The networks whose issuers advise merchants; each has numbers of its own. */
export type AdviceNetwork = 'MASTER' | 'VISA';

/** The brands whose cards run over these networks. */
const networks: ReadonlyMap<string, AdviceNetwork> = new Map([
  ['MASTER', 'MASTER'],
  ['MASTERDEBIT', 'MASTER'],
  ['MAESTRO', 'MASTER'],
  ['VISA', 'VISA'],
  ['VISADEBIT', 'VISA'],
  ['VISAELECTRON', 'VISA'],
  ['VPAY', 'VISA'],
]);

/** The network that a brand's advice is numbered by; undefined if none is known to advise. */
export function adviceNetworkOf(brand: string | undefined): AdviceNetwork | undefined {
  return brand === undefined ? undefined : networks.get(brand);
}
