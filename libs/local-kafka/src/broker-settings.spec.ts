import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { securityProperties, serverProperties } from './broker-settings.js';

/** What clients notice of a broker: the same here, where services are tested, and on Kubernetes. */
const SEEN_BY_CLIENTS = [
  'auto.create.topics.enable',
  'message.max.bytes',
  'replica.fetch.max.bytes',
  'group.min.session.timeout.ms',
  'offsets.retention.minutes',
];
/** Where the local overlay mounts them. */
const security = {
  keystoreFile: '/etc/kafka/tls/keystore.pem',
  truststoreFile: '/etc/kafka/tls/truststore.pem',
  superUsers: ['kafka', 'operator'],
};
const place = { port: 9093, controllerPort: 9094, logFolder: '/log', security };

function propertiesOf(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.indexOf('=');
      return [line.slice(0, end), line.slice(end + 1)];
    }),
  );
}

describe('a broker that checks its clients', () => {
  it('has no listener without certificates', () => {
    const properties = propertiesOf(serverProperties(place));
    expect(properties.get('listener.security.protocol.map')).toBe('CLIENTS:SSL,CONTROLLER:SSL');
    expect(properties.get('ssl.client.auth')).toBe('required');
    expect(serverProperties(place)).not.toContain('PLAINTEXT');
  });

  it('is seen by clients of production as here', () => {
    const file = new URL('../../../k8s/overlays/production/kafka/cluster.yaml', import.meta.url);
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim());
    const tested = propertiesOf(serverProperties(place));
    for (const name of SEEN_BY_CLIENTS) expect(lines).toContain(`${name}: ${tested.get(name)}`);
  });

  it('is set up on Kubernetes as it is where services are tried on it', () => {
    const file = new URL('../../../k8s/overlays/local/kafka/server.properties', import.meta.url);
    const overlay = propertiesOf(readFileSync(file, 'utf8'));
    const tested = propertiesOf(serverProperties(place));
    for (const name of [...propertiesOf(securityProperties(security)).keys(), ...SEEN_BY_CLIENTS]) {
      expect([name, overlay.get(name)]).toEqual([name, tested.get(name)]);
    }
  });
});
