import { mailAddressOf } from '@sluice/domain-webhooks';
import { SettingsError } from '@sluice/service';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Where mails go: to a server that sends them on, or as files into a folder, where a developer looks at them. */
export type MailRelay =
  | {
      readonly kind: 'server';
      readonly host: string;
      readonly port: number;
      /** TLS from the first byte; otherwise by STARTTLS, where the server has it. */
      readonly isSecure: boolean;
    }
  | { readonly kind: 'folder'; readonly path: string };

/** Who a server is told that this is. */
export interface MailCredentials {
  readonly user: string;
  readonly password: string;
}

/** Everything that is needed to send mails. */
export interface MailWay {
  readonly relay: MailRelay;
  /** Who they are from. */
  readonly sender: string;
  readonly credentials?: MailCredentials;
}

/** The settings that it is made of. */
export interface MailSettings {
  readonly mailRelay?: MailRelay;
  readonly mailSender?: string;
  readonly mailCredentials?: MailCredentials;
}

const FORM = 'must be smtp://host:port or smtps://host:port, or file:/// and a folder';

/** What a setting says of where mails go, for `@Variable`. @throws Error */
export function mailRelayOf(text: string): MailRelay {
  if (!URL.canParse(text)) throw new Error(FORM);
  const url = new URL(text);
  const { protocol, hostname, port, username, password, pathname, search, hash } = url;
  if (username !== '' || password !== '') {
    throw new Error(
      'must be without user and password, which belong into WEBHOOKS_MAIL_CREDENTIALS_FILE',
    );
  }
  if (protocol === 'file:' && hostname === '' && search === '' && hash === '') {
    return { kind: 'folder', path: fileURLToPath(url) };
  }
  const isServer = protocol === 'smtp:' || protocol === 'smtps:';
  const isBare = ['', '/'].includes(pathname) && search === '' && hash === '';
  if (!isServer || hostname === '' || port === '' || !isBare) throw new Error(FORM);
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  return { kind: 'server', host, port: Number(port), isSecure: protocol === 'smtps:' };
}

/** An address of a sender, for `@Variable`. @throws Error */
export function mailSenderOf(text: string): string {
  const address = mailAddressOf(text);
  if (address === undefined) throw new Error('must be one address, such as sluice@shop.example');
  return address;
}

/** A user and a password with a colon between, for `@Variable`. @throws Error */
export function mailCredentialsOf(text: string): MailCredentials {
  const at = text.indexOf(':');
  if (at < 1 || at === text.length - 1) throw new Error('must be user:password');
  return { user: text.slice(0, at), password: text.slice(at + 1) };
}

/** Undefined: no mails are sent. @throws SettingsError where the settings do not go together */
export function mailWayOf(settings: MailSettings): MailWay | undefined {
  const { mailRelay: relay, mailSender: sender, mailCredentials: credentials } = settings;
  if (relay === undefined) {
    if (sender === undefined && credentials === undefined) return undefined;
    throw new SettingsError(
      'WEBHOOKS_MAIL_RELAY must be set where a sender or credentials of mails are.',
    );
  }
  if (sender === undefined) {
    throw new SettingsError('WEBHOOKS_MAIL_SENDER must be set where WEBHOOKS_MAIL_RELAY is.');
  }
  if (credentials === undefined) return { relay, sender };
  if (relay.kind === 'folder') {
    throw new SettingsError(
      'WEBHOOKS_MAIL_CREDENTIALS must not be set where mails go into a folder.',
    );
  }
  return { relay, sender, credentials };
}

/** As the setting has it. */
export function relayText(relay: MailRelay): string {
  if (relay.kind === 'folder') return pathToFileURL(relay.path).href;
  const { host, port, isSecure } = relay;
  const name = host.includes(':') ? `[${host}]` : host;
  return `${isSecure ? 'smtps' : 'smtp'}://${name}:${port}`;
}
