/** 4 MiB: a command of 2 MiB and what surrounds it (D-15); the same for replicas. */
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;

/**
 * A broker that was killed may register again when its old session is over; 9 s by default, which a
 * cluster of one node need not wait. With 1 s a busy machine takes it for dead while it lives.
 */
const BROKER_SESSION_TIMEOUT_MS = 3_000;
const BROKER_HEARTBEAT_INTERVAL_MS = 300;

/** Where a broker listens and keeps its log. */
export interface BrokerPlace {
  readonly port: number;
  readonly controllerPort: number;
  /** Absolute. */
  readonly logFolder: string;
  /** Absent: whoever reaches it may do everything. */
  readonly security?: BrokerSecurity;
}

/** A broker with mutual TLS, which checks what everybody may do (D-47). Paths are absolute. */
export interface BrokerSecurity {
  /** The broker's key and certificate in one PEM file, the key as PKCS#8. */
  readonly keystoreFile: string;
  /** The authority that signs clients and brokers, PEM. */
  readonly truststoreFile: string;
  /** Names in certificates that may do everything: the broker's own and the operator's. */
  readonly superUsers: readonly string[];
}

/**
 * What makes a broker know its clients and check them. A client's name is the common name of its
 * certificate, which says nothing else of him; what no rule allows is refused. The same lines as on Kubernetes.
 */
export function securityProperties(security: BrokerSecurity): string {
  const superUsers = security.superUsers.map((name) => `User:${name}`).join(';');
  return `ssl.client.auth=required
ssl.keystore.type=PEM
ssl.keystore.location=${security.keystoreFile}
ssl.truststore.type=PEM
ssl.truststore.location=${security.truststoreFile}
ssl.principal.mapping.rules=RULE:^CN=([a-z0-9-]+)$/$1/
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=${superUsers}
allow.everyone.if.no.acl.found=false
`;
}

/**
 * `server.properties` of one node that is broker and controller. What matters to clients is as in
 * the cluster (D-15, D-16); the rest keeps a machine small that others share.
 */
export function serverProperties(place: BrokerPlace): string {
  const { port, controllerPort, logFolder, security } = place;
  // The controller speaks as its clients do: there is no way past the certificates.
  const protocol = security === undefined ? 'PLAINTEXT' : 'SSL';
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=CLIENTS://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=CLIENTS://127.0.0.1:${port}
listener.security.protocol.map=CLIENTS:${protocol},CONTROLLER:${protocol}
controller.listener.names=CONTROLLER
inter.broker.listener.name=CLIENTS
log.dirs=${logFolder}
auto.create.topics.enable=false
broker.session.timeout.ms=${BROKER_SESSION_TIMEOUT_MS}
broker.heartbeat.interval.ms=${BROKER_HEARTBEAT_INTERVAL_MS}
message.max.bytes=${MESSAGE_BYTES_MAX}
replica.fetch.max.bytes=${MESSAGE_BYTES_MAX}
group.min.session.timeout.ms=3000
group.initial.rebalance.delay.ms=0
offsets.retention.minutes=10080
offsets.topic.num.partitions=4
offsets.topic.replication.factor=1
transaction.state.log.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.num.partitions=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
log.index.size.max.bytes=1048576
num.network.threads=2
num.io.threads=4
log.cleaner.dedupe.buffer.size=16777216
${security === undefined ? '' : securityProperties(security)}`;
}

/** Says when it is ready and what goes wrong, and nothing else: the file is not rotated. */
export const logSettings = `status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %-5p %c: %m%n
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
logger.server.name = kafka.server.KafkaRaftServer
logger.server.level = info
`;

/** The line of the log that says that requests are answered. */
export const STARTED_LINE = 'Kafka Server started';
