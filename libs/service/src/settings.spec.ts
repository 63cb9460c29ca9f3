import { describe, expect, it } from '@jest/globals';
import { IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { loadSettings, SettingsError, Variable, variableNames } from './settings.js';

class ShopSettings {
  @Variable('SHOP_PORT')
  @IsInt()
  @Min(0)
  @Max(65_535)
  readonly port: number = 8080;

  @Variable('SHOP_OPEN')
  readonly open: boolean = true;

  @Variable('SHOP_LEVEL')
  @IsIn(['low', 'high'])
  readonly level: string = 'low';

  @Variable('SHOP_URL', { secret: true })
  @IsString()
  readonly url!: string;

  @Variable('SHOP_STEPS_MS', { parse: (text) => text.split(',').map(Number) })
  @IsOptional()
  @Min(1, { each: true })
  readonly stepsMs?: readonly number[];
}

function refusal(environment: NodeJS.ProcessEnv): string {
  try {
    loadSettings(ShopSettings, environment);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('the settings were taken');
}

describe('settings', () => {
  it('are defaults where nothing is set', () => {
    const settings = loadSettings(ShopSettings, { SHOP_URL: 'x', SHOP_LEVEL: '' });
    expect(settings).toBeInstanceOf(ShopSettings);
    expect([settings.port, settings.open, settings.level, settings.url, settings.stepsMs]).toEqual([
      8080,
      true,
      'low',
      'x',
      undefined,
    ]);
  });

  it('are read by their type', () => {
    const settings = loadSettings(ShopSettings, {
      SHOP_URL: 'x',
      SHOP_PORT: '0',
      SHOP_OPEN: 'false',
      SHOP_STEPS_MS: '200,400',
    });
    expect([settings.port, settings.open, settings.stepsMs]).toEqual([0, false, [200, 400]]);
  });

  it('are refused in one sentence that names variables and never values', () => {
    expect(
      refusal({ SHOP_PORT: '65536', SHOP_OPEN: 'perhaps', SHOP_LEVEL: 'top', SHOP_URL: 'x' }),
    ).toBe(
      'SHOP_OPEN must be true or false; SHOP_PORT must not be greater than 65535; ' +
        'SHOP_LEVEL must be one of the following values: low, high.',
    );
    expect(refusal({ SHOP_PORT: '80.5', SHOP_URL: 'x' })).toBe('SHOP_PORT must be a whole number.');
    expect(refusal({ SHOP_PORT: ' 80', SHOP_URL: 'x' })).toContain('whole number');
    expect(refusal({})).toBe('SHOP_URL must be set.');
    expect(refusal({ SHOP_URL: 'x', SHOP_STEPS_MS: '0' })).toContain('SHOP_STEPS_MS');
  });
});

describe('a secret setting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-settings-'));
  const file = join(folder, 'url');
  writeFileSync(file, 'postgres://secret\n');

  it('may come from a file, and is not printed with the others', () => {
    const settings = loadSettings(ShopSettings, { SHOP_URL_FILE: file });
    expect(settings.url).toBe('postgres://secret');
    expect(JSON.stringify(settings) + inspect(settings)).not.toContain('secret');
  });

  it('is refused when it is given twice or its file is not there', () => {
    expect(refusal({ SHOP_URL: 'a', SHOP_URL_FILE: file })).toBe(
      'SHOP_URL and SHOP_URL_FILE are both set.',
    );
    expect(refusal({ SHOP_URL_FILE: join(folder, 'none') })).toBe(
      'SHOP_URL_FILE cannot be read (ENOENT).',
    );
    rmSync(folder, { recursive: true });
  });

  it('names its variables', () => {
    expect(variableNames(ShopSettings)).toEqual([
      'SHOP_PORT',
      'SHOP_OPEN',
      'SHOP_LEVEL',
      'SHOP_URL',
      'SHOP_URL_FILE',
      'SHOP_STEPS_MS',
    ]);
  });
});
