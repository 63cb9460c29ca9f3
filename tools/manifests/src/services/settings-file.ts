import {
  calledBy,
  isCertified,
  networkPorts,
  type ServiceName,
  serviceRow,
  urlsVariableOf,
} from '@sluice/contracts';
import { secretsOf, speaksToKafka, urlsOf } from './service-needs.js';
import { GENERATED, linesOf, when } from './text.js';

/** Where the local overlay has Kafka, and the certificate of who comes to it. */
export const KAFKA_SETTINGS = [
  'KAFKA_BROKERS=kafka-0.kafka.sluice.svc:9093',
  'KAFKA_TLS_CERTIFICATE_FILE=/etc/sluice/kafka/user.crt',
  'KAFKA_TLS_KEY_FILE=/etc/sluice/kafka/user.key',
  'KAFKA_TLS_AUTHORITY_FILE=/etc/sluice/kafka/ca.crt',
];

const TLS_SETTINGS = [
  'TLS_CERTIFICATE_FILE=/etc/sluice/tls/tls.crt',
  'TLS_KEY_FILE=/etc/sluice/tls/tls.key',
  'TLS_AUTHORITY_FILE=/etc/sluice/tls/ca.crt',
];

/** `settings.env` of a service's folder, which compose reads too. */
export function settingsFile(name: ServiceName): string {
  return linesOf(
    GENERATED,
    '# D-57: still serving while everybody learns that it goes. With STOP_WITHIN_MS (35 s) it ends within',
    '# terminationGracePeriodSeconds.',
    'STOP_GRACE_MS=5000',
    when(isCertified(name), 'GATEWAY_ENVIRONMENT=live'),
    assignments(serviceRow(name).settings),
    secretsOf(name)
      .filter(({ inTestsAlone }) => !inTestsAlone)
      .map(({ variable, file }) => `${variable}=/etc/sluice/secrets/${file}`),
    calledBy(name).map((one) => `${urlsVariableOf(one)}=${urlsOf(one, networkPorts.internal)}`),
    speaksToKafka(name) ? KAFKA_SETTINGS : [],
    isCertified(name) ? TLS_SETTINGS : [],
  );
}

/** What a test installation tells a service otherwise, by variable. */
export function testSettingsOf(name: ServiceName): Readonly<Record<string, string>> {
  const files = secretsOf(name).filter(({ inTestsAlone }) => inTestsAlone);
  return {
    ...(isCertified(name) ? { GATEWAY_ENVIRONMENT: 'test' } : {}),
    ...serviceRow(name).testSettings,
    ...Object.fromEntries(
      files.map(({ variable, file }) => [variable, `/etc/sluice/secrets/${file}`]),
    ),
  };
}

/** As a file of settings has them. */
export function assignments(settings: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.entries(settings).map(([variable, value]) => `${variable}=${value}`);
}
