import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProjects, workspaceRoot } from '../../projects.mjs';
import { isTestFile, sourceFilesBelow } from '../../source-files.mjs';

/** What the name of a secret ends in; an address of a database has a password. */
const SECRET_NAME = /(?:_KEY|_TOKEN|_PASSWORD|_SECRET|DATABASE_URL|_HEADERS)$/;

/** As a text, or made of the name of whose setting it is. */
const NAME = /^\s*['`]([^'`]*)['`]/;

interface DeclaredVariable {
  readonly name: string;
  readonly file: string;
  readonly isSecret: boolean;
}

function variablesIn(file: string): readonly DeclaredVariable[] {
  const text = readFileSync(join(workspaceRoot, file), 'utf8');
  return text
    .split('@Variable(')
    .slice(1)
    .map((rest) => {
      const [, name = ''] = NAME.exec(rest) ?? [];
      const options = rest.slice(0, rest.indexOf(')\n'));
      return { name, file, isSecret: options.includes('secret: true') };
    });
}

const variables = readProjects()
  .flatMap(({ folder }) => sourceFilesBelow(workspaceRoot, `${folder}/src`))
  .filter((file) => !isTestFile(file))
  .flatMap(variablesIn);

describe('a setting that is a secret by its name', () => {
  it('can be read from a file (D-47)', () => {
    const secret = variables.filter(({ name }) => SECRET_NAME.test(name));
    expect(secret.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        ...['CREDENTIAL_KEY', '${prefix}_DATABASE_URL'],
        'VAULT_FINGERPRINT_KEY',
      ]),
    );
    expect(secret.filter(({ isSecret }) => !isSecret)).toEqual([]);
  });

  it('has no file form of its own besides', () => {
    const names = new Set(variables.map(({ name }) => name));
    const doubled = variables.filter(({ name, isSecret }) => isSecret && names.has(`${name}_FILE`));
    expect(doubled).toEqual([]);
  });
});
