import { describe, expect, it } from '@jest/globals';
import { applePayGateway } from './apple-pay-gateways.js';

const PATH = '/paymentservices/startSession';

describe("Apple's gateways", () => {
  it.each([
    ...['apple-pay-gateway', 'cn-apple-pay-gateway', 'apple-pay-gateway-cert'],
    ...['apple-pay-gateway-nc-pod1', 'apple-pay-gateway-nc-pod5', 'apple-pay-gateway-pr-pod3'],
    ...['cn-apple-pay-gateway-sh-pod3', 'cn-apple-pay-gateway-tj-pod1'],
  ])('are known by their names: %s', (name) => {
    const origin = `https://${name}.apple.com`;
    expect(applePayGateway(`${origin}${PATH}`)).toEqual({ origin, path: PATH });
    const path = '/paymentservices/paymentSession';
    expect(applePayGateway(`${origin}${path}`)).toEqual({ origin, path });
  });

  const host = 'apple-pay-gateway.apple.com';
  it.each([
    ['another scheme', `http://${host}${PATH}`],
    ['a scheme in capitals', `HTTPS://${host}${PATH}`],
    ['another port', `https://${host}:8443${PATH}`],
    ['the usual port', `https://${host}:443${PATH}`],
    ['a user', `https://user@${host}${PATH}`],
    ['a user that looks like it', `https://${host}@169.254.169.254${PATH}`],
    ['a host below it', `https://evil.${host}${PATH}`],
    ['a host that ends with it', `https://evil-${host}${PATH}`],
    ['a host that begins with it', `https://${host}.evil.example${PATH}`],
    ['a host of Apple that is none', `https://apple-pay-gateway-nc-pod6.apple.com${PATH}`],
    ['Apple alone', `https://apple.com${PATH}`],
    ['a dot at the end', `https://${host}.${PATH}`],
    ['a host in capitals', `https://Apple-Pay-Gateway.apple.com${PATH}`],
    ['another path', `https://${host}/paymentservices/other`],
    ['a path that leads up', `https://${host}/paymentservices/x/../startSession`],
    ['a query', `https://${host}${PATH}?x=1`],
    ['a fragment', `https://${host}${PATH}#x`],
    ['a space before', ` https://${host}${PATH}`],
    ['a line end within', `https://${host}\r\nx:${PATH}`],
    ['a tab within', `https://apple-pay-\tgateway.apple.com${PATH}`],
    ['a backslash', `https:\\\\${host}${PATH}`],
    ['another host in front', `https://evil.example\\.apple.com${PATH}`],
    ['another address in front', `https://127.0.0.1/?.apple.com${PATH}`],
    ['a name in other letters', `https://аpple-pay-gateway.apple.com${PATH}`],
    ['an address', `https://127.0.0.1${PATH}`],
    ['nothing', ''],
    ['very much', `https://${'a'.repeat(10_000)}.apple.com${PATH}`],
  ])('are not: %s', (_what, url) => {
    expect(applePayGateway(url)).toBeUndefined();
  });
});
