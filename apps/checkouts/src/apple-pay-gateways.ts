/**
 * Where Apple confirms merchants' pages, as it publishes them ("Setting Up Your Server"): in general, in
 * its data centres, in China, and for its own tests. Nothing else is ever called because a browser says
 * so (S-SSRF-02).
 */
const HOSTS: ReadonlySet<string> = new Set([
  ...['apple-pay-gateway', 'cn-apple-pay-gateway'],
  ...['apple-pay-gateway-cert', 'cn-apple-pay-gateway-cert'],
  ...pods('apple-pay-gateway-nc', 5),
  ...pods('apple-pay-gateway-pr', 5),
  ...pods('cn-apple-pay-gateway-sh', 3),
  ...pods('cn-apple-pay-gateway-tj', 3),
]);

function pods(place: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => `${place}-pod${at + 1}`);
}

const DOMAIN = '.apple.com';
/** Below each of them: what is asked for today, and what older browsers were told. */
const PATHS: readonly string[] = [
  '/paymentservices/paymentSession',
  '/paymentservices/startSession',
];
/** Longer than any of them. */
const LENGTH_MAX = 200;

/** One of Apple's gateways, where a browser has named one: whatever it says is compared, letter by letter. */
export function applePayGateway(
  validationUrl: string,
): { readonly origin: string; readonly path: string } | undefined {
  if (validationUrl.length > LENGTH_MAX) return undefined;
  for (const path of PATHS) {
    const suffix = `${DOMAIN}${path}`;
    if (!validationUrl.startsWith('https://') || !validationUrl.endsWith(suffix)) continue;
    const name = validationUrl.slice('https://'.length, -suffix.length);
    if (HOSTS.has(name)) return { origin: `https://${name}${DOMAIN}`, path };
  }
  return undefined;
}
