import { describe, expect, it } from '@jest/globals';
import { SettingsError } from '@sluice/service';
import {
  mailCredentialsOf,
  mailRelayOf,
  mailSenderOf,
  mailWayOf,
  relayText,
} from './mail-relay.js';

const relay = mailRelayOf('smtp://smtp.example.com:587');
const sender = 'sluice@example.com';

describe('where mails go', () => {
  it.each(['smtp://smtp.example.com:587', 'smtps://[2001:db8::1]:465', 'file:///var/lib/mails'])(
    'may be %s',
    (text) => {
      expect(relayText(mailRelayOf(text))).toBe(text);
    },
  );

  it('says whether TLS comes first', () => {
    expect(mailRelayOf('smtps://[2001:db8::1]:465')).toEqual({
      ...{ kind: 'server', host: '2001:db8::1', port: 465, isSecure: true },
    });
    expect(relay).toMatchObject({ isSecure: false });
  });

  it.each([
    ['a host alone', 'smtp.example.com', 'must be smtp://'],
    ['no port', 'smtp://smtp.example.com', 'must be smtp://'],
    ['no host', 'smtp://', 'must be smtp://'],
    ['a path', 'smtp://smtp.example.com:25/x', 'must be smtp://'],
    ['options', 'smtp://smtp.example.com:25?pool=true', 'must be smtp://'],
    ['another scheme', 'https://smtp.example.com:443', 'must be smtp://'],
    ['a password', 'smtp://me:secret@smtp.example.com:25', 'WEBHOOKS_MAIL_CREDENTIALS_FILE'],
  ])('is not %s', (_, text, sentence) => {
    expect(() => mailRelayOf(text)).toThrow(sentence);
  });
});

describe('the settings of mails', () => {
  it('are none, or a relay and a sender, with credentials or without', () => {
    expect(mailWayOf({})).toBeUndefined();
    expect(mailWayOf({ mailRelay: relay, mailSender: sender })).toEqual({ relay, sender });
    const credentials = mailCredentialsOf('me:se:cret');
    expect(credentials).toEqual({ user: 'me', password: 'se:cret' });
    expect(
      mailWayOf({ mailRelay: relay, mailSender: sender, mailCredentials: credentials }),
    ).toEqual({ relay, sender, credentials });
  });

  it.each([
    ['a sender', { mailSender: sender }, 'WEBHOOKS_MAIL_RELAY must be set'],
    [
      'credentials',
      { mailCredentials: { user: 'me', password: 'secret' } },
      'WEBHOOKS_MAIL_RELAY must be set',
    ],
    ['a relay', { mailRelay: relay }, 'WEBHOOKS_MAIL_SENDER must be set'],
    [
      'credentials of a folder',
      {
        ...{ mailRelay: mailRelayOf('file:///mails'), mailSender: sender },
        mailCredentials: { user: 'me', password: 'secret' },
      },
      'must not be set where mails go into a folder',
    ],
  ])('are not %s alone', (_, settings, sentence) => {
    expect(() => mailWayOf(settings)).toThrow(SettingsError);
    expect(() => mailWayOf(settings)).toThrow(sentence);
  });

  it.each(['me', 'me:', ':secret', ''])('have no credentials like "%s"', (text) => {
    expect(() => mailCredentialsOf(text)).toThrow('must be user:password');
  });

  it('have one sender', () => {
    expect(mailSenderOf('Sluice@Example.com')).toBe('Sluice@example.com');
    expect(() => mailSenderOf('a@example.com,b@example.com')).toThrow('one address');
  });
});
