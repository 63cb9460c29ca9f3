import { demoAccounts, parseSeed, type SeedAccount } from '@sluice/domain-accounts';
import { SettingsError } from '@sluice/service';
import { readFile } from 'node:fs/promises';
import type { AccountsSettings } from './settings.js';

/** The nodes that the settings demand from the start. Throws SettingsError. */
export async function firstAccounts(
  settings: Pick<AccountsSettings, 'seedFile' | 'demoChannel' | 'gatewayEnvironment'>,
): Promise<readonly SeedAccount[]> {
  const { seedFile, demoChannel: hasDemo, gatewayEnvironment } = settings;
  if (hasDemo && gatewayEnvironment === 'live') {
    throw new SettingsError('ACCOUNTS_DEMO_CHANNEL must be false on a live installation.');
  }
  const demo = hasDemo ? demoAccounts : [];
  return seedFile === undefined ? demo : [...demo, ...(await accountsIn(seedFile))];
}

/** Here nobody would make them: they are another service's, whose keys and tables this one has not. */
function withoutWebhooks(
  seedFile: string,
  accounts: readonly SeedAccount[],
): readonly SeedAccount[] {
  const named = accounts.find(({ webhooks }) => webhooks !== undefined);
  if (named === undefined) return accounts;
  throw new SettingsError(
    `The seed file ${seedFile} is refused: "${named.name}" has "webhooks", which only a sandbox makes of a file. Leave them out, and add them with "sluice webhooks add".`,
  );
}

async function accountsIn(seedFile: string): Promise<readonly SeedAccount[]> {
  const text = await readFile(seedFile, 'utf8').catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(`The seed file ${seedFile} cannot be read (${code ?? 'error'}).`);
  });
  const result = parseSeed(text);
  if (result.kind === 'seed') return withoutWebhooks(seedFile, result.accounts);
  const { line, reason } = result;
  throw new SettingsError(`The seed file ${seedFile} is refused, line ${line}: ${reason}.`);
}
