/** What Prometheus has scraped every 30 s, as promtool writes it: `0+10x60` grows by ten, 60 times. */
export type RecordedSeries = Readonly<Record<string, string>>;

/** One alert with a reason for it, and with a state in which it must be silent. */
export interface AlertCase {
  readonly alert: string;
  readonly because: string;
  readonly at: string;
  readonly series: RecordedSeries;
  /** The labels under which it fires, the name aside; none where it must not. */
  readonly fires: readonly Readonly<Record<string, string>>[];
}

/** Where all of them are. */
const HERE = { namespace: 'sluice' };
/** What alerts have that call somebody at once. */
export const critical = { ...HERE, severity: 'critical' };
/** What alerts have that wait for the day. */
export const warning = { ...HERE, severity: 'warning' };

/** The name of one series as Prometheus writes it. */
export function series(name: string, labels: Readonly<Record<string, string>> = {}): string {
  const all = Object.entries({ ...HERE, ...labels });
  return `${name}{${all.map(([label, value]) => `${label}="${value}"`).join(', ')}}`;
}

/** The series of one instance of payments. */
export const ofPayments = (name: string, pod = 'payments-0'): string =>
  series(name, { service: 'payments', pod });
