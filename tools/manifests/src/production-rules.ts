import type { Rule } from './manifests.js';
import { identitiesAreTheirOwn } from './rules/certificate-identities.js';
import { connectionsFit } from './rules/connections.js';
import { kafkaIsClosed, kafkaKeepsMessages } from './rules/kafka.js';
import {
  monitorsFindTheirPorts,
  operatorsFindWhatTheyUse,
  publicHostsHaveTls,
} from './rules/operators.js';
import {
  peopleCanDoWhatJobsDo,
  postgresIsClosed,
  postgresKeepsCommits,
  postgresRolesAreDrawn,
} from './rules/postgres.js';
import { scalersLeaveWork, scalersMeasureTheirTarget } from './rules/scaling.js';

/** Rules of what operators, the Ingress controller and Prometheus make of an overlay. */
export const productionRules: Readonly<Record<string, Rule>> = {
  'brokers that let in whoever is drawn': kafkaIsClosed,
  'brokers that keep what they acknowledge': kafkaKeepsMessages,
  'databases that let in whoever comes over TLS': postgresIsClosed,
  'databases that keep what they acknowledge': postgresKeepsCommits,
  'roles of the databases as addresses name them': postgresRolesAreDrawn,
  'connections that the databases take': connectionsFit,
  'people who can do what jobs do': peopleCanDoWhatJobsDo,
  'certificates that name their own service': identitiesAreTheirOwn,
  'scalers that leave work for everybody': scalersLeaveWork,
  'scalers that measure what they scale': scalersMeasureTheirTarget,
  'references of operators that lead somewhere': operatorsFindWhatTheyUse,
  'public hosts with TLS': publicHostsHaveTls,
  'monitors of ports that there are': monitorsFindTheirPorts,
};
