/**
 * Where a shop's page of results is told of a payment, registration or checkout: its own address with `id`
 * and `resourcePath` behind the query that it may have (Interface 6, wire contract 5). Headers are
 * ASCII, so hosts and paths in other writing are as browsers would send them.
 * @param shopperResultUrl an absolute address
 * @param resourcePath where the result is read, e.g. `/v1/checkouts/{id}/payment`
 */
export function resultAddress(shopperResultUrl: string, id: string, resourcePath: string): string {
  const [address = '', ...fragment] = new URL(shopperResultUrl).href.split('#');
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  const told = `${address}${joint}id=${id}&resourcePath=${encodeURIComponent(resourcePath)}`;
  return [told, ...fragment].join('#');
}
