import { serviceNames, serviceRow } from '@sluice/contracts';
import { type AlertCase, critical, ofPayments, series, warning } from './alert-case.js';

const build = (service: string, namespace = 'sluice'): string =>
  series('sluice_build_info', { namespace, service, pod: `${service}-0`, version: '1' });
const check = (pod: string, name: string, service = 'vault'): string =>
  series('sluice_readiness_check', { service, pod, check: name });
const certificate = series('sluice_certificate_expires_in_seconds', {
  ...{ service: 'vault', pod: 'vault-0', use: 'internal', part: 'own' },
});
const forbidden = series('sluice_internal_calls_total', {
  ...{ service: 'vault', pod: 'vault-0', http_route: '/cards/reveal' },
  ...{ caller: 'reporting', result: 'forbidden' },
});
const started = series('process_start_time_seconds', { job: 'sluice', pod: 'vault-0' });
/** Those that every installation has. */
const SERVICES = serviceNames.filter((name) => serviceRow(name).standsFor === undefined);
const DAY_SECONDS = 86_400;

/** Those about processes, whatever they do. */
export const processAlertCases: readonly AlertCase[] = [
  {
    ...{ alert: 'SluiceServiceMissing', because: 'no relay tells anything' },
    ...{ at: '10m', fires: [{ ...critical, service: 'payments-relay' }] },
    series: Object.fromEntries(
      SERVICES.map((name) => [build(name), name === 'payments-relay' ? '1x9 stale' : '1x40']),
    ),
  },
  {
    ...{ alert: 'SluiceServiceMissing', because: 'live has no vault, and test has' },
    ...{ at: '10m', fires: [{ ...critical, service: 'vault' }] },
    series: Object.fromEntries(
      SERVICES.flatMap((name) => [
        [build(name, 'sluice-test'), '1x40'],
        [build(name), name === 'vault' ? '_x40' : '1x40'],
      ]),
    ),
  },
  {
    ...{ alert: 'SluiceServiceMissing', because: 'all of live is away for hours, and test is not' },
    ...{ at: '3h', fires: SERVICES.map((service) => ({ ...critical, service })) },
    series: Object.fromEntries(
      SERVICES.flatMap((name) => [
        [build(name, 'sluice-test'), '1x400'],
        [build(name), '1x9 stale'],
      ]),
    ),
  },
  {
    ...{ alert: 'SluiceServiceMissing', because: 'nobody tells anything' },
    ...{ at: '10m', fires: [{ service: 'any service', severity: 'critical' }] },
    series: { [series('up', { job: 'something else', pod: 'other' })]: '1x40' },
  },
  {
    ...{ alert: 'SluiceServiceMissing', because: 'one instance of each is enough' },
    ...{ at: '10m', fires: [] },
    series: Object.fromEntries(SERVICES.map((name) => [build(name), '1x40'])),
  },
  {
    ...{ alert: 'SluiceInstanceDown', because: 'it does not answer' },
    ...{ at: '10m', fires: [{ ...warning, job: 'sluice', pod: 'vault-0' }] },
    series: { [series('up', { job: 'sluice', pod: 'vault-0' })]: '0x40' },
  },
  {
    ...{ alert: 'SluiceInstanceDown', because: 'it starts again every two minutes' },
    ...{ at: '15m', fires: [{ ...warning, job: 'sluice', pod: 'vault-0' }] },
    series: { [started]: '1x4 120x4 240x4 360x4 480x4 600x20' },
  },
  {
    ...{ alert: 'SluiceInstanceDown', because: 'it was started again once' },
    ...{ at: '15m', fires: [] },
    series: {
      [started]: '1x10 300x40',
      [series('up', { job: 'sluice', pod: 'vault-0' })]: '1x40',
      [series('up', { job: 'something else', pod: 'other' })]: '0x40',
    },
  },
  {
    ...{ alert: 'SluiceDatabaseUnreachable', because: 'one of two instances cannot ask' },
    ...{ at: '10m', fires: [{ ...critical, service: 'vault' }] },
    series: {
      [check('vault-0', 'database')]: '1x10 0x40',
      [check('vault-1', 'database')]: '1x50',
    },
  },
  {
    ...{ alert: 'SluiceDatabaseUnreachable', because: 'a check failed once' },
    ...{ at: '10m', fires: [] },
    series: { [check('vault-0', 'database')]: '1x19 0 1x40' },
  },
  {
    ...{ alert: 'SluiceDatabasePoolExhausted', because: 'three have waited for ten minutes' },
    ...{ at: '20m', fires: [{ ...warning, service: 'payments', pod: 'payments-0' }] },
    series: { [ofPayments('sluice_database_waiting')]: '3x60' },
  },
  {
    ...{ alert: 'SluiceDatabasePoolExhausted', because: 'a peak is over at once' },
    ...{ at: '20m', fires: [] },
    series: { [ofPayments('sluice_database_waiting')]: '0x37 9 0x40' },
  },
  {
    ...{ alert: 'SluiceNotReady', because: 'edge never reached accounts' },
    at: '10m',
    fires: [{ ...warning, service: 'edge', pod: 'edge-0', check: 'access directory' }],
    series: {
      [check('edge-0', 'access directory', 'edge')]: '0x40',
      [check('edge-1', 'access directory', 'edge')]: '1x40',
    },
  },
  {
    ...{
      alert: 'SluiceNotReady',
      because: 'it starts within a minute, and databases are another page',
    },
    ...{ at: '10m', fires: [] },
    series: {
      [check('edge-0', 'phase', 'edge')]: '0x2 1x40',
      [check('vault-0', 'database')]: '0x40',
    },
  },
  {
    ...{ alert: 'SluiceCertificateExpiry', because: 'ten days are left' },
    at: '2h',
    fires: [{ ...warning, service: 'vault', use: 'internal', part: 'own' }],
    series: { [certificate]: `${String(10 * DAY_SECONDS)}-30x300` },
  },
  {
    ...{ alert: 'SluiceCertificateExpiry', because: 'one day is left' },
    at: '2h',
    fires: [{ ...critical, service: 'vault', use: 'internal', part: 'own' }],
    series: { [certificate]: `${String(DAY_SECONDS)}-30x300` },
  },
  {
    ...{ alert: 'SluiceCertificateExpiry', because: 'a month is left' },
    ...{ at: '2h', fires: [] },
    series: { [certificate]: `${String(30 * DAY_SECONDS)}-30x300` },
  },
  {
    ...{ alert: 'SluiceForbiddenCaller', because: 'the first call of its life was refused' },
    at: '20m',
    fires: [{ ...critical, service: 'vault', http_route: '/cards/reveal', caller: 'reporting' }],
    series: { [forbidden]: '_x30 1x40' },
  },
  {
    ...{ alert: 'SluiceForbiddenCaller', because: 'it tried once more' },
    at: '2h',
    fires: [{ ...critical, service: 'vault', http_route: '/cards/reveal', caller: 'reporting' }],
    series: { [forbidden]: '1x230 2x40' },
  },
  {
    ...{ alert: 'SluiceForbiddenCaller', because: 'it was refused an hour ago' },
    ...{ at: '2h', fires: [] },
    series: { [forbidden]: '_x30 1x300' },
  },
  {
    ...{ alert: 'SluiceEventLoopBlocked', because: 'it is half a second late' },
    ...{ at: '20m', fires: [{ ...warning, job: 'sluice', pod: 'edge-0' }] },
    series: {
      [series('nodejs_eventloop_lag_p99_seconds', { job: 'sluice', pod: 'edge-0' })]: '0.5x60',
    },
  },
  {
    ...{ alert: 'SluiceEventLoopBlocked', because: 'it was so for a moment' },
    ...{ at: '20m', fires: [] },
    series: {
      [series('nodejs_eventloop_lag_p99_seconds', { job: 'sluice', pod: 'edge-0' })]:
        '0.03x30 2x3 0.03x30',
    },
  },
  {
    ...{ alert: 'SluiceGaugesUnread', because: 'Kafka has been away for a quarter of an hour' },
    ...{ at: '25m', fires: [{ ...warning, service: 'payments' }] },
    series: { [ofPayments('sluice_failed_gauge_reads_total')]: '0+6x80' },
  },
  {
    ...{ alert: 'SluiceGaugesUnread', because: 'one look was late' },
    ...{ at: '25m', fires: [] },
    series: { [ofPayments('sluice_failed_gauge_reads_total')]: '0x40 1x40' },
  },
];
