import { describe, expect, it } from '@jest/globals';
import { PrometheusMetrics } from '@sluice/service';
import {
  commandSenderMetrics,
  kafkaHandlerMetrics,
  kafkaProducerMetrics,
  KafkaMetrics,
  kafkaReaderMetrics,
} from './kafka-metrics.js';

function registry(): PrometheusMetrics {
  return new PrometheusMetrics([
    ...[...kafkaProducerMetrics, ...kafkaReaderMetrics],
    ...[...kafkaHandlerMetrics, ...commandSenderMetrics],
  ]);
}

async function linesOf(metrics: PrometheusMetrics, name: string): Promise<readonly string[]> {
  return (await metrics.exposition()).split('\n').filter((line) => line.startsWith(name));
}

describe('the metrics of a bus', () => {
  it('name groups without what differs from one start or rebuild to the next', () => {
    const metrics = new KafkaMetrics('test-7.');
    const groups = ['payments.commands', 'reporting.12', 'edge.replies.3.a1b2c3d4', 'x.events'];
    expect(groups.map((group) => metrics.groupLabel(`test-7.${group}`))).toEqual([
      'payments.commands',
      'reporting',
      'edge.replies',
      'x.events',
    ]);
  });

  it('count by declared topics, whatever the prefix', async () => {
    const metrics = registry();
    const producer = new KafkaMetrics('test-7.', metrics).producer();
    producer.sent('test-7.payments.commands.v1', 3);
    producer.sent('test-7.payments.commands.v1', 1);
    producer.requested('test-7.payments.commands.v1', 0.2, true);
    const place = 'messaging_system="kafka",messaging_destination_name="payments.commands.v1"';
    expect(await linesOf(metrics, 'messaging_client_sent')).toEqual([
      `messaging_client_sent_messages_total{${place}} 4`,
    ]);
    expect(await linesOf(metrics, 'messaging_client_operation_duration_seconds_count')).toEqual([
      `messaging_client_operation_duration_seconds_count{${place},messaging_operation_name="send",error_type="failed"} 1`,
    ]);
  });

  it('have dead letters from 0 on, those that subscribers publish themselves included', async () => {
    const metrics = registry();
    const kafka = new KafkaMetrics('', metrics);
    kafka.handler('reporting.1', ['payments.payment.v1']);
    const name = 'sluice_dead_letters_total{topic="payments.payment.v1"}';
    expect(await linesOf(metrics, 'sluice_dead')).toEqual([`${name} 0`]);
    kafka.published('payments.payment.v1', 5);
    kafka.published('payments.payment.v1.dead', 2);
    kafka.buried('payments.payment.v1', 1);
    expect(await linesOf(metrics, 'sluice_dead')).toEqual([`${name} 3`]);
  });

  it('register nothing that the process does not do', async () => {
    const metrics = registry();
    new KafkaMetrics('', metrics).producer();
    const types = [
      ...(await metrics.exposition()).matchAll(/^# TYPE (messaging\S+|sluice_k\S+)/gm),
    ];
    expect(types.map(([, name]) => name)).toEqual([
      'messaging_client_sent_messages_total',
      'messaging_client_operation_duration_seconds',
    ]);
  });
});
