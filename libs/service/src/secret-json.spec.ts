import { describe, expect, it } from '@jest/globals';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jsonObjectIn, secretJsonObject, secretJsonText } from './secret-json.js';
import { SettingsError } from './settings.js';

describe('a file of secrets', () => {
  it('is read as it is, and named where it cannot be', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'secret-json-')), 'file.json');
    await writeFile(file, '{"a":1}');
    expect(await secretJsonText('SHOP_FILE', file)).toBe('{"a":1}');
    await expect(secretJsonText('SHOP_FILE', `${file}.none`)).rejects.toEqual(
      new SettingsError(`SHOP_FILE ${file}.none cannot be read (ENOENT).`),
    );
  });

  it('is an object, and nothing of it is repeated where it is none', () => {
    expect(secretJsonObject('{"a":1}', 'The file')).toEqual({ a: 1 });
    const said = (text: string) => {
      try {
        return secretJsonObject(text, 'The file');
      } catch (error) {
        return String(error);
      }
    };
    expect(said('secret')).toBe('SettingsError: The file is no JSON.');
    for (const text of ['[]', 'null', '"secret"', '1']) {
      expect(said(text)).toBe('SettingsError: The file must be an object of JSON.');
    }
    expect(() => jsonObjectIn([], 'The file, a')).toThrow('The file, a must be an object of JSON.');
  });
});
