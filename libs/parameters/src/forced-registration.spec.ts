import { describe, expect, it } from '@jest/globals';
import { Form } from './form.js';
import { forcedRegistrationRejection } from './forced-registration.js';

const forced = (code: string, mode: 'INTERNAL' | 'EXTERNAL' | 'LIVE' = 'INTERNAL') =>
  forcedRegistrationRejection(
    new Form(new Map([['customParameters[forceResultCode]', code]])),
    mode,
  );

describe('a code that a test forces where something is stored', () => {
  it.each(['800.100.152', '100.150.203', '900.100.300'])('refuses it: %s', (code) => {
    expect(forced(code)).toEqual({ code });
    expect(forced(code, 'EXTERNAL')).toEqual({ code });
  });

  it('is data like any other in live mode', () => {
    expect(forced('800.100.152', 'LIVE')).toBeUndefined();
  });

  it('changes nothing where it approves', () => {
    expect(forced('000.100.110')).toBeUndefined();
    expect(forced('000.400.000')).toBeUndefined();
  });

  it.each(['', '123.456.789', 'nonsense', '__proto__', '000.100.203'])(
    'is said to be none where the list has no such answer: %j',
    (code) => {
      expect(forced(code)).toEqual({ code: '600.200.810' });
    },
  );

  it('leaves nothing pending', () => {
    expect(forced('000.200.000')).toMatchObject({
      ...{ code: '600.200.500', description: expect.stringContaining('pending (000.200.000)') },
    });
  });

  it('is absent where no test says one', () => {
    expect(forcedRegistrationRejection(new Form(new Map()), 'INTERNAL')).toBeUndefined();
  });
});
