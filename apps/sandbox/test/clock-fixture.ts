// Channels whose clocks specs move; no other file imports it.
import { expect } from '@jest/globals';
import type { SandboxProcess } from '@sluice/testing';
import type { Body, Fields } from './demo-merchant-fixture.js';

const CLOCK = '/sandbox/v1/clock';
const DAY_MS = 86_400_000;

/** As the clock's path answers. */
export interface ClockShown {
  /** `yyyy-MM-dd HH:mm:ss+0000` */
  readonly now: string;
  readonly aheadMs: number;
  readonly notFollowing: readonly string[];
  readonly isThere?: boolean;
}

/** A merchant's channel, which may have a clock of its own. */
export class ClockedChannel {
  readonly token: string;

  /** @param sandbox which may be started later */
  constructor(
    readonly entityId: string,
    private readonly sandbox: () => Pick<SandboxProcess, 'url'>,
  ) {
    this.token = `the-token-of-${entityId}`;
  }

  /** Its row of a seed file. */
  get seed() {
    const { entityId, token } = this;
    const name = entityId.slice(-2);
    return { entityId, name, merchant: `of ${name}`, accessTokens: [token] };
  }

  async send(
    [method, path]: readonly [method: string, path: string],
    fields: Fields = {},
  ): Promise<Body> {
    const form = new URLSearchParams({ entityId: this.entityId, ...fields });
    const hasBody = method === 'POST';
    const target = `${this.sandbox().url}${path}${hasBody ? '' : `?${form.toString()}`}`;
    const headers = { Authorization: `Bearer ${this.token}` };
    const response = await fetch(target, { method, headers, ...(hasBody && { body: form }) });
    return (await response.json()) as Body;
  }

  /** How late it is, by its clock. */
  async clock(): Promise<ClockShown> {
    return clockIn(await this.send(['GET', CLOCK]));
  }

  async nowMs(): Promise<number> {
    return Date.now() + (await this.clock()).aheadMs;
  }

  /** Moves its clock as far as it is told, as whoever asks again until it is there. */
  async moveTo(instantMs: number): Promise<void> {
    const to = new Date(instantMs).toISOString();
    for (;;) {
      const moved = await this.send(['POST', CLOCK], { to });
      expect(moved.result.code).toBe('000.000.100');
      if (clockIn(moved).isThere === true) return;
    }
  }

  async daysOn(days: number): Promise<void> {
    await this.moveTo((await this.nowMs()) + days * DAY_MS);
  }
}

function clockIn(body: Body): ClockShown {
  return body['clock'] as ClockShown;
}
