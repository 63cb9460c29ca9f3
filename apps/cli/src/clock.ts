import type { EntityId } from '@sluice/identifiers';
import type { Answer } from './answer.js';
import { parseInstant, parseSpan } from './durations.js';
import { failed, refused } from './exit-codes.js';
import { type Merchant, type MerchantFlags, merchantOf } from './merchant.js';
import { counted } from './progress.js';
import type { Session } from './session.js';

/** As the sandbox says it. */
interface ClockShown {
  /** `yyyy-MM-dd HH:mm:ss+0000` */
  readonly now: string;
  readonly aheadMs: number;
  readonly notFollowing: readonly string[];
  readonly isThere?: boolean;
  readonly doneOnTheWay?: number;
}

interface ClockAnswer {
  readonly clock?: ClockShown;
  readonly result?: {
    readonly description: string;
    readonly parameterErrors?: readonly { readonly name: string; readonly message: string }[];
  };
}

const CLOCK_PATH = '/sandbox/v1/clock';
const DAY_MS = 86_400_000;
const NOT_FOUND = 404;

/** `clock show` */
export async function showClock(session: Session, flags: MerchantFlags): Promise<Answer> {
  const clock = new RemoteEntityClock(session, flags);
  return answerOf(clock.entityId, await clock.read());
}

/** `clock set <instant>` */
export async function setClock(
  session: Session,
  instant: string,
  flags: MerchantFlags,
): Promise<Answer> {
  const toMs = parseInstant(instant);
  const clock = new RemoteEntityClock(session, flags);
  return moved(session, clock, await clock.read(), toMs);
}

/** `clock advance <duration>` */
export async function advanceClock(
  session: Session,
  duration: string,
  flags: MerchantFlags,
): Promise<Answer> {
  const spanMs = parseSpan(duration);
  const clock = new RemoteEntityClock(session, flags);
  const before = await clock.read();
  return moved(session, clock, before, parseInstant(before.now) + spanMs);
}

/** `clock follow` */
export async function followClock(session: Session, flags: MerchantFlags): Promise<Answer> {
  const clock = new RemoteEntityClock(session, flags);
  return answerOf(clock.entityId, await clock.send({ follow: 'true' }));
}

/** Asks until it is there, and shows how far that is. */
async function moved(
  session: Session,
  clock: RemoteEntityClock,
  before: ClockShown,
  toMs: number,
): Promise<Answer> {
  const fromMs = parseInstant(before.now);
  const total = (toMs - fromMs) / DAY_MS;
  const to = new Date(toMs).toISOString();
  let done = 0;
  const arrived = await session.counting({ unit: 'days', total }, async (passed) => {
    for (;;) {
      const shown = await clock.send({ to });
      done += shown.doneOnTheWay ?? 0;
      if (shown.isThere === true) return shown;
      passed((parseInstant(shown.now) - fromMs) / DAY_MS);
    }
  });
  return answerOf(clock.entityId, { ...arrived, doneOnTheWay: done });
}

function answerOf(entityId: EntityId, clock: ClockShown): Answer {
  const { now, aheadMs, notFollowing, doneOnTheWay } = clock;
  const days = Math.round(aheadMs / DAY_MS);
  const ahead = aheadMs === 0 ? ', as for the machine' : `, ${counted(days, 'day')} ahead`;
  const lines = [
    `It is ${now} for ${entityId}${ahead}.`,
    ...(doneOnTheWay === undefined ? [] : [onTheWay(doneOnTheWay)]),
    ...(notFollowing.length === 0
      ? []
      : [`Do not follow yet: ${notFollowing.join(', ')}. For them it is as late as it really is.`]),
  ];
  return { data: { entityId, ...clock }, text: lines.join('\n') };
}

function onTheWay(done: number): string {
  if (done === 0) return 'On the way nothing was due.';
  return `On the way ${counted(done, 'time')} something was due, and was done.`;
}

/** The clock of an entity in a sandbox that runs somewhere. */
class RemoteEntityClock {
  readonly #merchant: Merchant;

  /** @throws CommandEnded where nobody said where it is, or by which token */
  constructor(
    private readonly session: Session,
    flags: MerchantFlags,
  ) {
    this.#merchant = merchantOf(session, flags);
  }

  get entityId(): EntityId {
    return this.#merchant.entityId;
  }

  read(): Promise<ClockShown> {
    return this.#ask('GET', {});
  }

  send(fields: Readonly<Record<string, string>>): Promise<ClockShown> {
    return this.#ask('POST', fields);
  }

  async #ask(
    method: 'GET' | 'POST',
    fields: Readonly<Record<string, string>>,
  ): Promise<ClockShown> {
    const { entityId, token, url: sandbox } = this.#merchant;
    const form = new URLSearchParams({ entityId, ...fields });
    const url = new URL(CLOCK_PATH, sandbox);
    if (method === 'GET') url.search = form.toString();
    const init = { method, headers: { Authorization: `Bearer ${token}` } };
    const response = await fetch(url, {
      ...init,
      ...(method === 'POST' && { body: form }),
      signal: this.session.signal,
    }).catch(() => undefined);
    this.session.throwIfInterrupted();
    if (response === undefined) throw failed(`Nobody answers at ${url.origin}.`);
    if (response.status === NOT_FOUND) {
      throw refused(`${url.origin} has no clocks in hand: only a sandbox has.`);
    }
    return shownIn((await response.json()) as ClockAnswer);
  }
}

/** @throws CommandEnded with what the sandbox refused it for */
function shownIn({ clock, result }: ClockAnswer): ClockShown {
  if (clock !== undefined) return clock;
  const [error] = result?.parameterErrors ?? [];
  const said = error === undefined ? result?.description : `${error.name} ${error.message}`;
  throw refused(`Refused: ${said ?? 'without a reason'}.`);
}
