import type { Provider } from '@nestjs/common';
import { RemoteClock } from '@sluice/service';
import { LOGGER, made, METRICS } from '@sluice/service-module';
import { Pool } from 'pg';
import { Subscriptions } from '../subscriptions.js';
import { KEYS, SETTINGS } from '../tokens.js';
import { MailMetrics } from './mail-metrics.js';
import { mailWayOf, relayText } from './mail-relay.js';
import { mailSenderFor } from './mail-sender.js';
import { MailWatch } from './mail-watch.js';
import { MailsProcessor } from './mails.processor.js';
import { SealedAddresses } from './sealed-addresses.js';

/** Who is mailed about receivers that fail. */
export const mailProviders: readonly Provider[] = [
  made(SealedAddresses, { keys: KEYS, clock: RemoteClock }, ({ keys, clock }) => {
    return new SealedAddresses(keys.provider, clock);
  }),
  made(MailMetrics, { metrics: METRICS }, ({ metrics }) => new MailMetrics(metrics)),
  made(
    MailWatch,
    {
      ...{ pool: Pool, subscriptions: Subscriptions, addresses: SealedAddresses },
      ...{ machine: RemoteClock, logger: LOGGER },
    },
    (parts) => new MailWatch(parts),
  ),
  made(
    MailsProcessor,
    {
      ...{ pool: Pool, watch: MailWatch, addresses: SealedAddresses, metrics: MailMetrics },
      ...{ subscriptions: Subscriptions, machine: RemoteClock, logger: LOGGER },
      settings: SETTINGS,
    },
    ({ settings, ...parts }) => {
      const way = mailWayOf(settings);
      const mustEncrypt = settings.gatewayEnvironment === 'live';
      return new MailsProcessor({
        ...parts,
        sender: way && mailSenderFor(way, { mustEncrypt, logger: parts.logger }),
        goesTo: way && relayText(way.relay),
      });
    },
  ),
];
