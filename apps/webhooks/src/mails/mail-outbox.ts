import type { MailText } from '@sluice/domain-webhooks';
import { newMessageId } from '@sluice/identifiers';
import type { Pool, PoolClient } from 'pg';
import type { MailResult } from './mail-sender.js';

/** What a mail is about. */
export type MailKind = 'alert' | 'wellAgain' | 'digest';

/** A mail that is to be sent. */
export interface NewMail extends MailText {
  readonly kind: MailKind;
  /** Whose address it is. */
  readonly subscriptionId: string;
  /** Sealed for that subscription. */
  readonly address: string;
}

/** A mail that this process is to send, and nobody else meanwhile. */
export interface TakenMail extends MailText {
  readonly id: string;
  readonly subscriptionId: string;
  readonly address: string;
  readonly madeAtMs: number;
  /** This one included. */
  readonly tries: number;
}

/** What became of one in the end, or until its next try. */
export type MailStanding = 'sent' | 'failed' | 'gaveUp';

/** Whoever sends one has come to an end by then, or is gone (`SENT_WITHIN_MS`). */
export const MAIL_LAPSES_AFTER_MS = 5 * 60_000;
/** A server that is away comes back in minutes, or somebody has to mend it. */
const PAUSES_MS = [1, 2, 5, 15, 30].map((minutes) => minutes * 60_000);
const LATER_PAUSE_MS = 60 * 60_000;
/** Then there is another one about the same, if it still is so. */
export const MAIL_LIFE_MS = 24 * 60 * 60_000;

const MS_PER_SECOND = 1_000;
const MAKE = `INSERT INTO mails (id, kind, subscription_id, address, subject, body, made_at, due_at)
  VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7), to_timestamp($7))`;
const TAKE = `UPDATE mails SET tries = tries + 1, due_at = to_timestamp($2)
  WHERE id IN (SELECT id FROM mails WHERE due_at <= to_timestamp($1)
    ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, subscription_id AS "subscriptionId", address, subject, body AS text, tries,
    extract(epoch FROM made_at)::float8 * 1000 AS "madeAtMs"`;
/** Only by whoever has taken it last: one that lapsed is another one's. */
const END = `UPDATE mails SET due_at = to_timestamp($3), sent_at = to_timestamp($4), trouble = $5
  WHERE id = $1 AND tries = $2`;

/** Has a mail sent; with its reason, in one transaction. */
export async function makeMail(client: PoolClient, mail: NewMail, nowMs: number): Promise<void> {
  const { kind, subscriptionId, address, subject, text } = mail;
  await client.query(MAKE, [
    ...[newMessageId(nowMs), kind, subscriptionId, address, subject, text],
    nowMs / MS_PER_SECOND,
  ]);
}

/** Takes one that is due: recorded before it is sent, so that no two processes send it. */
export async function takeMail(
  pool: Pick<Pool, 'query'>,
  nowMs: number,
): Promise<TakenMail | undefined> {
  const values = [nowMs, nowMs + MAIL_LAPSES_AFTER_MS].map((ms) => ms / MS_PER_SECOND);
  return (await pool.query<TakenMail>({ name: 'take mail', text: TAKE, values })).rows[0];
}

/** Nobody wants it any more. */
export async function dropMail(pool: Pick<Pool, 'query'>, id: string): Promise<void> {
  await pool.query('DELETE FROM mails WHERE id = $1', [id]);
}

/** Records what came of it. */
export async function endMail(
  pool: Pick<Pool, 'query'>,
  { id, tries, madeAtMs }: Pick<TakenMail, 'id' | 'tries' | 'madeAtMs'>,
  { result, nowMs }: { readonly result: MailResult; readonly nowMs: number },
): Promise<MailStanding> {
  const nextAtMs = nowMs + (PAUSES_MS[tries - 1] ?? LATER_PAUSE_MS);
  const isTriedAgain = result.kind === 'failed' && nextAtMs < madeAtMs + MAIL_LIFE_MS;
  await pool.query(END, [
    ...[id, tries, isTriedAgain ? nextAtMs / MS_PER_SECOND : null],
    result.kind === 'sent' ? nowMs / MS_PER_SECOND : null,
    result.kind === 'sent' ? null : result.trouble,
  ]);
  if (result.kind === 'sent') return 'sent';
  return isTriedAgain ? 'failed' : 'gaveUp';
}
