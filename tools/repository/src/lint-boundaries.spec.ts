import { describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';
import { workspaceRoot } from '../../projects.mjs';

/** The import rules that lint really has for a file, asked of ESLint's own configuration. */
async function importRules(file: string): Promise<string> {
  const eslint = new ESLint({ cwd: workspaceRoot });
  const configuration = (await eslint.calculateConfigForFile(file)) as {
    rules: Record<string, unknown>;
  };
  return JSON.stringify(configuration.rules['@typescript-eslint/no-restricted-imports']);
}

describe('lint', () => {
  it('knows the boundaries of each project, and lets specs use the testing library', async () => {
    const code = await importRules('libs/domain/payments/src/decide.ts');
    expect(code).toContain('domain may not import platform');
    expect(code).toContain('"@sluice/testing"');
    const spec = await importRules('libs/domain/payments/src/decide.spec.ts');
    expect(spec).toContain('domain may not import platform');
    expect(spec).not.toContain('"@sluice/testing"');
  });

  it('keeps the simulator apart from money', async () => {
    const rules = await importRules('apps/simulator/src/book.ts');
    expect(rules).toContain('"@sluice/money"');
    expect(rules).not.toContain('"@sluice/result-codes"');
  });
});
