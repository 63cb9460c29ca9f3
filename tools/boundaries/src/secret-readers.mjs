import { existsSync, readdirSync } from 'node:fs';

const CONNECTORS = 'libs/connectors/src';
const workspace = new URL('../../../', import.meta.url);

/** Each connector puts the card on the wire in a file of this name, and nowhere else. */
const messagesOfConnectors = readdirSync(new URL(CONNECTORS, workspace))
  .map((folder) => `${CONNECTORS}/${folder}/transaction-message.ts`)
  .filter((path) => existsSync(new URL(path, workspace)));

/**
 * The files that may call `.reveal()` on a secret, each because the value must leave there in
 * clear. Lint refuses the call everywhere else; specs may reveal what they made themselves.
 * @type {Record<string, string>} path → reason
 */
export const secretReaders = {
  'apps/vault/src/detail-cipher.ts': 'encrypts details, and tells one account from another',
  'apps/vault/src/kept-details.ts': 'tells one account of a merchant from another',
  'apps/vault/src/token-opener.ts': "opens the token of a wallet, and checks the card's number",
  'apps/vault/src/momentary-details.ts': 'keeps a security code in a buffer that is overwritten',
  'apps/risk/src/authentication/authentications.ts': 'finds the card range of a number',
  'apps/risk/src/authentication/directory-requests.ts': 'puts the card on the wire to its network',
  'libs/parameters/src/saved-form.ts': 'puts a form together again that was saved',
  'libs/contracts/src/credential-hash.ts': 'makes the keyed hash by which a credential is found',
  'libs/messaging/src/http/detail-messages.ts': 'puts details into a message to or from the vault',
  'apps/payments/src/authentication-proofs.ts':
    'tells a merchant the cryptogram of his own authentication alone',
  'libs/service/src/http-client.ts': 'puts keys of acquirers into the headers of requests',
  'libs/connectors/src/sepa/party-elements.ts': 'puts IBANs into the files for a bank',
  'libs/connectors/src/sepa/order-account.ts': 'puts holders and mandates into these files',
  'apps/sepa/src/outgoing-folder.ts': 'writes the files for a bank',
  'libs/domain/webhooks/src/secret-bytes.ts': 'encrypts and signs notifications with it',
  'apps/webhooks/src/sealed-secrets.ts': 'seals it for the event that keeps it',
  'libs/domain/accounts/src/seed-terms.ts': 'compares tokens to refuse those of the demo channel',
  ...Object.fromEntries(messagesOfConnectors.map((path) => [path, 'puts the card on the wire'])),
};
