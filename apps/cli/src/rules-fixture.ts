import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { AccountsModule, type RunningAccounts } from '@sluice/accounts';
import { channelAccounts } from '@sluice/domain-accounts';
import type { EntityId } from '@sluice/identifiers';
import { InProcessBus } from '@sluice/messaging';
import { createLogger, ensureRolesAndSchema } from '@sluice/service';
import { startTestDatabase } from '@sluice/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Ran, sluice } from './command-line-fixture.js';

const START_WITHIN_MS = 60_000;
export const NOW_MS = Date.UTC(2031, 4, 4);
export const channelId = '1'.repeat(32) as EntityId;
const shop = channelAccounts({
  ...{ entityId: channelId, name: 'Shop', merchant: 'Books', compatibility: {} },
  ...{ accessTokens: [], legacyCredentials: [] },
});
export const merchantId = shop.find(({ kind }) => kind === 'merchant')?.id ?? '';

/** Rules as files have them. */
export const often = {
  ...{ id: 'often', name: 'Three an hour', then: 'reject' },
  when: { velocity: { by: 'card', within: '1h', atMost: 3 } },
};
export const ranges = {
  ...{ id: 'ranges', name: 'Ranges that were stolen', then: 'reject' },
  when: { list: { by: 'bin', values: ['411111', { value: '420000', until: '2032-01-01' }] } },
};
export const persons = {
  ...{ id: 'persons', name: 'Who never paid', score: 40 },
  when: { list: { by: 'email', values: ['jane@shop.example'] } },
};

/** A database of accounts and one of risk, in which a channel may have rules; made and dropped by jest's hooks. */
export class RulesFixture {
  readonly folder = mkdtempSync(join(tmpdir(), 'sluice-risk-rules-'));
  administrator = new pg.Pool();
  #accounts: RunningAccounts | undefined;
  #environment: NodeJS.ProcessEnv = {};
  #drop: () => Promise<void> = () => Promise.resolve();

  constructor() {
    beforeAll(() => this.#open(), START_WITHIN_MS);
    beforeEach(async () => {
      await this.administrator.query('TRUNCATE risk.rule_sets, risk.assessments');
    });
    afterAll(() => this.#close());
  }

  async #open(): Promise<void> {
    const server = await startTestDatabase();
    this.#drop = () => server.drop();
    const databases = await ensureRolesAndSchema(server.url, ['accounts', 'risk']);
    this.administrator = new pg.Pool({ connectionString: server.url, max: 1 });
    this.#accounts = await AccountsModule.start({
      database: {
        databaseUrl: databases.accounts.appUrl,
        ownerDatabaseUrl: databases.accounts.ownerUrl,
        schema: 'accounts',
      },
      ...{ credentialKey: Buffer.alloc(32, 3), manualChargebacks: true },
      transport: new InProcessBus().transport('accounts'),
      logger: createLogger({ service: 'accounts', level: 'silent' }),
    });
    await this.#accounts.seed(shop);
    this.#environment = {
      ACCOUNTS_DATABASE_URL: databases.accounts.appUrl,
      RISK_DATABASE_URL: databases.risk.appUrl,
      RISK_OWNER_DATABASE_URL: databases.risk.ownerUrl,
    };
    expect((await this.run('migrations', 'apply', 'risk')).exitCode).toBe(0);
  }

  async #close(): Promise<void> {
    await this.#accounts?.close();
    await this.administrator.end();
    await this.#drop();
    rmSync(this.folder, { recursive: true });
  }

  readonly run = (...words: readonly string[]): Promise<Ran> =>
    sluice(words, { environment: this.#environment, nowMs: NOW_MS });

  readonly file = (content: object | string, name = 'rules.json'): string => {
    const path = join(this.folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  readonly set = (rules: object, ...words: string[]): Promise<Ran> =>
    this.run('risk', 'rules', 'set', '--node', channelId, '--file', this.file(rules), ...words);

  readonly list = (verb: string, ...words: string[]): Promise<Ran> =>
    this.run('risk', 'lists', verb, '--node', channelId, ...words);

  readonly versions = async () => {
    const text = 'SELECT version, actor, file FROM risk.rule_sets ORDER BY version';
    return (await this.administrator.query<{ version: number; actor: string; file: object }>(text))
      .rows;
  };
}
