import { describe, expect, it } from '@jest/globals';
import { IsDefined, IsInt, IsOptional, Min } from 'class-validator';
import { settingsHelp, unknownVariables } from './settings-help.js';
import { loadSettings, Variable, withDefaults } from './settings.js';

class ShopSettings {
  @Variable('SHOP_PORT', { meaning: 'where it listens' })
  @IsInt()
  @Min(0)
  readonly port: number = 80;

  @Variable('SHOP_PASSWORD', { secret: true, meaning: 'what opens it' })
  @IsDefined()
  readonly password!: string;

  @Variable('SHOP_NAME', { meaning: 'above its door' })
  @IsOptional()
  readonly name?: string;

  /** As a property without a written type is compiled. */
  @Variable('SHOP_DOORS', { meaning: 'how many doors it has' })
  @IsInt()
  doors = 1;
}

const environment = { SHOP_PASSWORD: 'open', SHOP_PORT: '8080', SHOP_DOORS: '2' };

describe('the help of a service', () => {
  it('lists each variable with meaning and default, and what must be set', () => {
    expect(settingsHelp('shop', [ShopSettings]).split('\n').slice(2, 6)).toEqual([
      '  SHOP_PORT               where it listens (default 80)',
      '  SHOP_PASSWORD           what opens it (secret, must be set)',
      '  SHOP_NAME               above its door',
      '  SHOP_DOORS              how many doors it has (default 1)',
    ]);
  });
});

describe('variables that look like a service’s own', () => {
  it('and are none are found, file forms of secrets are not', () => {
    const given = { ...environment, SHOP_PASSWORD_FILE: 'x', SHOP_PROT: '1', OTHER: '2' };
    expect(unknownVariables('shop', [ShopSettings], given)).toEqual(['SHOP_PROT']);
  });
});

describe('settings that were read', () => {
  it('are numbers even where the type is not written', () => {
    expect(loadSettings(ShopSettings, environment).doors).toBe(2);
    expect(() => loadSettings(ShopSettings, { ...environment, SHOP_DOORS: 'x' })).toThrow(
      'SHOP_DOORS must be a whole number.',
    );
  });

  it('are taken as they are, secrets included; given ones get the defaults', () => {
    const read = loadSettings(ShopSettings, environment);
    expect(withDefaults(ShopSettings, read)).toBe(read);
    expect(withDefaults(ShopSettings, { password: 'x' })).toMatchObject({
      port: 80,
      password: 'x',
    });
  });
});
