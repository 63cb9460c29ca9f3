import { commandTopics, eventTopics } from '@sluice/contracts';
import { type AlertCase, critical, ofPayments, series, warning } from './alert-case.js';
import { bankAlertCases } from './bank-alert-cases.js';
import { checkoutAlertCases } from './checkout-alert-cases.js';
import { processAlertCases } from './process-alert-cases.js';
import { riskAlertCases } from './risk-alert-cases.js';
import { scheduleAlertCases } from './schedule-alert-cases.js';
import { webhookAlertCases } from './webhook-alert-cases.js';

const payments = (group: string): string =>
  series('sluice_payments_total', {
    ...{ service: 'payments', pod: 'payments-0', payment_type: 'DB', brand: 'VISA' },
    ...{ result_group: group, connector: 'acquirer' },
  });
const answers = (code: string): string =>
  series('http_server_request_duration_seconds_count', {
    ...{ service: 'edge', pod: 'edge-0', http_request_method: 'POST' },
    ...{ http_route: '/v1/payments', http_response_status_code: code },
  });
const commands = (result: string): string =>
  series('sluice_commands_sent_total', { service: 'edge', pod: 'edge-0', result });
const lag = (service: string, pod: string, topic: string): string =>
  series('sluice_kafka_consumer_lag', { service, pod, group: service, topic });
const stage = (name: string, le: string): string =>
  series('sluice_payment_duration_seconds_bucket', { service: 'payments', stage: name, le });
const call = (le: string): string =>
  series('sluice_connector_call_duration_seconds_bucket', {
    ...{ service: 'payments', connector: 'acquirer', operation: 'submit' },
    ...{ outcome: 'approved', le },
  });
const ofRelay = (name: string): string =>
  series(name, { service: 'payments-relay', pod: 'payments-relay-0' });
const queriesBehind = (by: string): string =>
  series('sluice_queries_behind_total', { service: 'reporting', pod: 'reporting-0', by });
const ofProjection = (name: string): string =>
  series(name, { service: 'reporting', pod: 'reporting-0', projection: 'transactions' });
const registrationsDue = series('sluice_registrations_due', {
  ...{ service: 'registrations', pod: 'registrations-0' },
});
const COMMANDS = commandTopics.payments;
const EVENTS = eventTopics.payments;

/** Two cases at least for every alert: its reason, and the ordinary life beside it. */
export const alertCases: readonly AlertCase[] = [
  {
    ...{ alert: 'SluiceApprovalRateDrop', because: 'three of ten are approved after nine of ten' },
    ...{ at: '7h25m', fires: [{ ...critical, connector: 'acquirer' }] },
    series: {
      [payments('success')]: '0+9x840 7560+3x60',
      [payments('reject_bank')]: '0+1x840 840+7x60',
    },
  },
  {
    ...{ alert: 'SluiceApprovalRateDrop', because: 'nothing at all is approved any more' },
    ...{ at: '7h25m', fires: [{ ...critical, connector: 'acquirer' }] },
    series: {
      [payments('success')]: '0+9x840 7560+0x60',
      [payments('reject_communication')]: '0+1x840 840+9x60',
    },
  },
  {
    ...{ alert: 'SluiceApprovalRateDrop', because: 'it is low, as it has always been' },
    ...{ at: '7h25m', fires: [] },
    series: { [payments('success')]: '0+3x900', [payments('reject_bank')]: '0+7x900' },
  },
  {
    ...{ alert: 'SluiceApprovalRateDrop', because: 'merchants make mistakes' },
    ...{ at: '7h25m', fires: [] },
    series: {
      [payments('success')]: '0+9x900',
      [payments('validation_format')]: '0+0x840 0+20x60',
    },
  },
  {
    ...{ alert: 'SluiceApprovalRateDrop', because: 'there are too few at night to say anything' },
    ...{ at: '7h25m', fires: [] },
    series: {
      [payments('success')]: '0+9x820 7380+0x80',
      [payments('reject_bank')]: '0+1x820 820+0.3x80',
    },
  },
  {
    ...{ alert: 'SluiceServerErrors', because: 'one in eleven answers is a 503' },
    ...{ at: '15m', fires: [critical] },
    series: { [answers('200')]: '0+100x40', [answers('503')]: '0+10x40' },
  },
  {
    ...{ alert: 'SluiceServerErrors', because: 'requests are wrong, and once a 500 happened' },
    ...{ at: '15m', fires: [] },
    series: {
      [answers('200')]: '0+100x40',
      [answers('400')]: '0+50x40',
      [answers('500')]: '0x20 1x20',
    },
  },
  {
    ...{ alert: 'SluiceCommandsUnanswered', because: 'replies come too late' },
    ...{ at: '15m', fires: [critical] },
    series: { [commands('replied')]: '0+10x40', [commands('unanswered')]: '0+5x40' },
  },
  {
    ...{ alert: 'SluiceCommandsUnanswered', because: 'Kafka is away and nothing is replied' },
    ...{ at: '15m', fires: [critical] },
    series: { [commands('replied')]: '100x40', [commands('notSent')]: '0+5x40' },
  },
  {
    ...{ alert: 'SluiceCommandsUnanswered', because: 'one in a hundred is late' },
    ...{ at: '15m', fires: [] },
    series: { [commands('replied')]: '0+100x40', [commands('unanswered')]: '0+1x40' },
  },
  {
    ...{ alert: 'SluiceCommandLag', because: 'each of two instances has 150 before it' },
    ...{ at: '10m', fires: [critical] },
    series: {
      [lag('payments', 'payments-0', COMMANDS)]: '150x40',
      [lag('payments', 'payments-1', COMMANDS)]: '150x40',
    },
  },
  {
    ...{ alert: 'SluiceCommandLag', because: 'registrations takes no commands' },
    ...{ at: '10m', fires: [critical] },
    series: {
      [lag('payments', 'payments-0', COMMANDS)]: '1x40',
      [lag('registrations', 'registrations-0', commandTopics.registrations)]: '300x40',
    },
  },
  {
    ...{ alert: 'SluiceCommandLag', because: 'a peak is over in a minute' },
    ...{ at: '11m', fires: [] },
    series: { [lag('payments', 'payments-0', COMMANDS)]: '0x18 900 900 10x20' },
  },
  {
    ...{ alert: 'SluiceSlowPayments', because: 'recording takes half a second' },
    ...{ at: '25m', fires: [{ ...warning, stage: 'record' }] },
    series: {
      [stage('record', '0.25')]: '0x60',
      [stage('record', '0.5')]: '0+10x60',
      [stage('record', '+Inf')]: '0+10x60',
    },
  },
  {
    ...{ alert: 'SluiceSlowPayments', because: 'the acquirer takes half a second' },
    ...{ at: '25m', fires: [] },
    series: {
      [stage('connector', '0.25')]: '0x60',
      [stage('connector', '0.5')]: '0+10x60',
      [stage('connector', '+Inf')]: '0+10x60',
      [stage('record', '0.05')]: '0+10x60',
      [stage('record', '+Inf')]: '0+10x60',
    },
  },
  {
    ...{ alert: 'SluiceConnectorSlow', because: 'calls take ten seconds' },
    ...{ at: '15m', fires: [{ ...warning, connector: 'acquirer' }] },
    series: { [call('5')]: '0x40', [call('10')]: '0+10x40', [call('+Inf')]: '0+10x40' },
  },
  {
    ...{ alert: 'SluiceConnectorSlow', because: 'its bulkhead is full' },
    ...{ at: '15m', fires: [{ ...warning, connector: 'acquirer' }] },
    series: {
      [series('sluice_connector_calls_refused_total', { connector: 'acquirer' })]: '0+5x40',
    },
  },
  {
    ...{ alert: 'SluiceConnectorSlow', because: 'calls take two seconds and none is refused' },
    ...{ at: '15m', fires: [] },
    series: {
      [call('2.5')]: '0+10x40',
      [call('+Inf')]: '0+10x40',
      [series('sluice_connector_calls_refused_total', { connector: 'acquirer' })]: '0x40',
    },
  },
  {
    ...{ alert: 'SluiceThrottled', because: 'a tenth is refused' },
    ...{ at: '20m', fires: [warning] },
    series: {
      [answers('400')]: '0+100x60',
      [series('sluice_rate_limited_total', { service: 'edge', pod: 'edge-0' })]: '0+10x60',
    },
  },
  {
    ...{ alert: 'SluiceThrottled', because: 'one in a hundred is' },
    ...{ at: '20m', fires: [] },
    series: {
      [answers('400')]: '0+100x60',
      [series('sluice_rate_limited_total', { service: 'edge', pod: 'edge-0' })]: '0+1x60',
    },
  },
  {
    ...{ alert: 'SluiceUnknownPayments', because: 'two instances see the same 150' },
    ...{ at: '30m', fires: [warning] },
    series: {
      [ofPayments('sluice_unknown_open')]: '150x80',
      [ofPayments('sluice_unknown_open', 'payments-1')]: '150x80',
    },
  },
  {
    ...{ alert: 'SluiceUnknownPayments', because: 'many are unknown, and then few' },
    ...{ at: '30m', fires: [] },
    series: {
      [ofPayments('sluice_unknown_open')]: '300x20 5 300x39',
      // Asked by another instance for two minutes only, at the worst time.
      [ofPayments('sluice_unknown_open', 'payments-1')]: '_x50 40 300x9',
    },
  },
  {
    ...{ alert: 'SluiceUnknownPayments', because: 'each of two instances sees the same 60' },
    ...{ at: '30m', fires: [] },
    series: {
      [ofPayments('sluice_unknown_open')]: '60x80',
      [ofPayments('sluice_unknown_open', 'payments-1')]: '60x80',
    },
  },
  {
    ...{ alert: 'SluiceInquiryBacklog', because: 'one has been due for minutes' },
    ...{ at: '15m', fires: [critical] },
    series: { [ofPayments('sluice_inquiry_oldest_seconds')]: '0+30x40' },
  },
  {
    ...{ alert: 'SluiceInquiryBacklog', because: 'many are due, and are looked at' },
    ...{ at: '15m', fires: [] },
    series: {
      [ofPayments('sluice_inquiry_oldest_seconds')]: '3x40',
      [ofPayments('sluice_inquiry_backlog')]: '500x40',
    },
  },
  {
    ...{
      alert: 'SluiceRegistrationsDue',
      because: 'the vault is away, and shoppers store their cards',
    },
    ...{ at: '15m', fires: [warning] },
    series: { [registrationsDue]: '0+10x40' },
  },
  {
    ...{ alert: 'SluiceRegistrationsDue', because: 'a few are just being dealt with' },
    ...{ at: '15m', fires: [] },
    series: { [registrationsDue]: '8x40' },
  },
  {
    ...{ alert: 'SluiceCaseOpened', because: 'one was opened half an hour ago' },
    ...{ at: '40m', fires: [{ ...warning, reason: 'unresolved' }] },
    series: {
      [series('sluice_cases_opened_total', { pod: 'payments-0', reason: 'unresolved' })]:
        '0x20 1x100',
    },
  },
  {
    ...{ alert: 'SluiceCaseOpened', because: 'none was opened, or long ago' },
    ...{ at: '2h', fires: [] },
    series: {
      [series('sluice_cases_opened_total', { pod: 'payments-0', reason: 'unresolved' })]:
        '0x20 1x300',
    },
  },
  {
    ...{ alert: 'SluiceOutboxStopped', because: 'events wait longer and longer' },
    ...{ at: '10m', fires: [critical] },
    series: { [ofRelay('sluice_outbox_oldest_seconds')]: '0+30x40' },
  },
  {
    ...{
      alert: 'SluiceOutboxStopped',
      because: 'the relay is gone, and payments shows what waits',
    },
    ...{ at: '10m', fires: [critical] },
    series: {
      [ofRelay('sluice_outbox_oldest_seconds')]: '0x2 stale',
      [ofPayments('sluice_outbox_oldest_seconds')]: '0+30x40',
    },
  },
  {
    ...{ alert: 'SluiceOutboxStopped', because: 'many events wait, none for long' },
    ...{ at: '10m', fires: [] },
    series: {
      [ofRelay('sluice_outbox_oldest_seconds')]: '2x40',
      [ofRelay('sluice_outbox_pending')]: '5000x40',
    },
  },
  {
    ...{ alert: 'SluiceOutboxParked', because: 'one is' },
    ...{ at: '10m', fires: [critical] },
    series: { [ofRelay('sluice_outbox_parked')]: '0x5 1x40' },
  },
  {
    ...{ alert: 'SluiceOutboxParked', because: 'none is' },
    ...{ at: '10m', fires: [] },
    series: { [ofRelay('sluice_outbox_parked')]: '0x40' },
  },
  {
    ...{ alert: 'SluiceProjectionLag', because: 'what has arrived is a minute old' },
    ...{ at: '10m', fires: [warning] },
    series: { [ofProjection('sluice_projection_lag_seconds')]: '60x40' },
  },
  {
    ...{ alert: 'SluiceProjectionLag', because: 'events lie in Kafka' },
    ...{ at: '10m', fires: [warning] },
    series: {
      [ofProjection('sluice_projection_lag_seconds')]: '0x40',
      [lag('reporting', 'reporting-0', EVENTS)]: '700x40',
      [lag('reporting', 'reporting-1', EVENTS)]: '700x40',
    },
  },
  {
    ...{ alert: 'SluiceProjectionLag', because: 'commands wait, which is not its matter' },
    ...{ at: '10m', fires: [] },
    series: {
      [ofProjection('sluice_projection_lag_seconds')]: '1x40',
      [lag('payments', 'payments-0', COMMANDS)]: '5000x40',
    },
  },
  {
    ...{ alert: 'SluiceQueriesBehind', because: 'queries come before the rows again and again' },
    ...{ at: '20m', fires: [{ ...warning, by: 'time' }] },
    series: { [queriesBehind('time')]: '0+3x60', [queriesBehind('merchantTransactionId')]: '0x60' },
  },
  {
    ...{ alert: 'SluiceQueriesBehind', because: 'a few met a restart' },
    ...{ at: '20m', fires: [] },
    series: { [queriesBehind('merchantTransactionId')]: '0x10 4x50' },
  },
  {
    ...{ alert: 'SluiceProjectionStuck', because: 'there is work and the position stays' },
    ...{ at: '20m', fires: [critical] },
    series: {
      [ofProjection('sluice_projection_position')]: '118x60',
      [lag('reporting', 'reporting-0', EVENTS)]: '7x60',
    },
  },
  {
    ...{ alert: 'SluiceProjectionStuck', because: 'it gets on, however slowly' },
    ...{ at: '20m', fires: [] },
    series: {
      [ofProjection('sluice_projection_position')]: '118+1x60',
      [lag('reporting', 'reporting-0', EVENTS)]: '700x60',
    },
  },
  {
    ...{ alert: 'SluiceProjectionStuck', because: 'nobody pays' },
    ...{ at: '20m', fires: [] },
    series: {
      [ofProjection('sluice_projection_position')]: '118x60',
      [lag('reporting', 'reporting-0', EVENTS)]: '0x60',
    },
  },
  {
    ...{ alert: 'SluiceProjectionParkedEvents', because: 'one is parked' },
    ...{ at: '10m', fires: [{ ...warning, projection: 'transactions' }] },
    series: { [ofProjection('sluice_projection_parked_events')]: '1x40' },
  },
  {
    ...{ alert: 'SluiceProjectionParkedEvents', because: 'none is' },
    ...{ at: '10m', fires: [] },
    series: { [ofProjection('sluice_projection_parked_events')]: '0x40' },
  },
  {
    ...{ alert: 'SluiceRebuildStuck', because: 'tables have been filling for three hours' },
    ...{ at: '3h', fires: [{ ...warning, projection: 'transactions' }] },
    series: { [ofProjection('sluice_projection_rebuild_seconds')]: '0+30x400' },
  },
  {
    ...{ alert: 'SluiceRebuildStuck', because: 'a rebuild ended after an hour' },
    ...{ at: '3h', fires: [] },
    series: { [ofProjection('sluice_projection_rebuild_seconds')]: '0+30x120 0x280' },
  },
  {
    ...{ alert: 'SluiceDeadLetters', because: 'the first one was written' },
    ...{ at: '20m', fires: [{ ...warning, topic: COMMANDS }] },
    series: {
      [series('sluice_dead_letters_total', { pod: 'payments-0', topic: COMMANDS })]: '0x20 1x40',
    },
  },
  {
    ...{ alert: 'SluiceDeadLetters', because: 'none was written' },
    ...{ at: '20m', fires: [] },
    series: {
      [series('sluice_dead_letters_total', { pod: 'payments-0', topic: COMMANDS })]: '0x60',
    },
  },
  ...bankAlertCases,
  ...checkoutAlertCases,
  ...processAlertCases,
  ...riskAlertCases,
  ...scheduleAlertCases,
  ...webhookAlertCases,
];
