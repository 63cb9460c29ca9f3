import { describe, expect, it } from '@jest/globals';
import { isLoopback } from './mutual-tls.js';

describe('an address that only processes of the same machine reach', () => {
  it.each(['127.0.0.1', '127.9.8.7', '::1', '[::1]', '::ffff:127.0.0.1', 'localhost'])(
    'is %s',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each(['0.0.0.0', '::', '10.0.0.1', '127.evil.example', 'vault', 'localhost.example', ''])(
    'is not %j',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});
