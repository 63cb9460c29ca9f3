import type { Logger } from '@sluice/service';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { type MailWay } from './mail-relay.js';

/** A mail on its way. */
export interface OutgoingMail {
  /** The same however often it is tried: whoever gets it twice can tell by its Message-ID. */
  readonly id: string;
  readonly address: string;
  readonly subject: string;
  readonly text: string;
  readonly madeAtMs: number;
}

/**
 * What came of sending one. `refused`: its address is not taken, and will not be; `failed`: it may go another time.
 * `trouble` is codes alone: what a server says has the address in it.
 */
export type MailResult =
  { readonly kind: 'sent' } | { readonly kind: 'refused' | 'failed'; readonly trouble: string };

/** Hands mails on. */
export interface MailSender {
  send(mail: OutgoingMail, signal: AbortSignal): Promise<MailResult>;
}

const CONNECT_WITHIN_MS = 10_000;
/** Between two words of the server. */
const ANSWER_WITHIN_MS = 30_000;
const PERMANENT_FROM = 500;

/** By the way that the settings say; a live installation says nothing without TLS. */
export function mailSenderFor(
  way: MailWay,
  { mustEncrypt, logger }: { readonly mustEncrypt: boolean; readonly logger: Pick<Logger, 'info'> },
): MailSender {
  const { relay, sender } = way;
  if (relay.kind === 'folder') return folderSender(relay.path, sender, logger);
  const { host, port, isSecure } = relay;
  const { credentials } = way;
  const transport = createTransport({
    ...{ host, port, secure: isSecure, requireTLS: mustEncrypt || credentials !== undefined },
    ...{ connectionTimeout: CONNECT_WITHIN_MS, greetingTimeout: CONNECT_WITHIN_MS },
    ...{ dnsTimeout: CONNECT_WITHIN_MS, socketTimeout: ANSWER_WITHIN_MS },
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
  });
  return {
    send: async (mail, signal) => {
      try {
        await transport.sendMail({ ...messageOf(mail, sender), signal });
        return { kind: 'sent' };
      } catch (error) {
        return resultOf(error as SmtpError);
      }
    },
  };
}

/** As files that mail programs open, for whoever develops. */
function folderSender(path: string, sender: string, logger: Pick<Logger, 'info'>): MailSender {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return {
    send: async (mail) => {
      try {
        const { message } = await transport.sendMail(messageOf(mail, sender));
        await mkdir(path, { recursive: true });
        const file = join(path, `${mail.id}.eml`);
        await writeFile(file, message as Buffer);
        logger.info({ file }, 'A mail was written into a file.');
        return { kind: 'sent' };
      } catch (error) {
        return { kind: 'failed', trouble: codeOf(error as SmtpError) };
      }
    },
  };
}

function messageOf({ id, address, subject, text, madeAtMs }: OutgoingMail, sender: string) {
  const [, domain = ''] = sender.split('@');
  return {
    from: { name: 'Sluice', address: sender },
    to: { name: '', address },
    envelope: { from: sender, to: [address] },
    messageId: `<${id}@${domain}>`,
    date: new Date(madeAtMs),
    subject,
    // As lines end in mails: otherwise they are broken as if they were one, wherever the columns end.
    text: text.replaceAll('\n', '\r\n'),
    // Nobody who is away answers it (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  };
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** A relay that does not know its own settings refuses everybody: only what it says of the address is final. */
function resultOf(error: SmtpError): MailResult {
  const { command, responseCode = 0 } = error;
  const isRefused = command === 'RCPT TO' && responseCode >= PERMANENT_FROM;
  return { kind: isRefused ? 'refused' : 'failed', trouble: codeOf(error) };
}

function codeOf({ code, name, command, responseCode }: SmtpError): string {
  return [code ?? name, command, responseCode].filter((word) => word !== undefined).join(' ');
}
