/** Who a test is for the gateway: a channel and the token that may use it. */
export interface TestAccount {
  readonly entityId: string;
  readonly accessToken: string;
}

/** A seed file with that channel alone, so that nothing of the demo channel is used. */
export function seedOf(
  name: string,
  { entityId, accessToken }: TestAccount,
  more: {
    readonly appSchemes?: readonly string[];
    readonly merchantAccounts?: readonly object[];
    readonly routes?: readonly object[];
    readonly webhooks?: readonly object[];
  } = {},
): string {
  const access = { accessTokens: [accessToken], legacyCredentials: [] };
  return JSON.stringify({ channels: [{ entityId, name, merchant: name, ...access, ...more }] });
}
