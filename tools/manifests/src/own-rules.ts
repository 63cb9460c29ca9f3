import type { Rule } from './manifests.js';
import { renewalsComeBeforeTheAlert, vaultsAreNamed } from './rules/certificates.js';
import {
  imagesAreFixed,
  limitsAreSet,
  livenessIsPatient,
  podsAreRestricted,
  probesAreSet,
} from './rules/containers.js';
import { scalersAreWhole, topicsAreDeclared, usersAreDeclared } from './rules/contracts.js';
import { enginesAreSpread } from './rules/engines.js';
import {
  filesAreMounted,
  requiredVariablesAreSet,
  secretsAreFiles,
  simulatorIsForTests,
  variablesAreKnown,
} from './rules/environment.js';
import { jobsAreNamedByRelease, jobsNameWhatStays } from './rules/jobs.js';
import { namesFit } from './rules/names.js';
import { internetIsNotPrivate, waysAreAsDrawn } from './rules/network.js';
import { namesAreThere, servicesLeadSomewhere } from './rules/references.js';
import {
  budgetsLetDrains,
  resourcesFit,
  scaledHaveNoReplicas,
  stopsFitTheGrace,
  updatesKeepServing,
} from './rules/workloads.js';

/** Every rule of our own with the sentence that it is told by. */
export const ownRules: Readonly<Record<string, Rule>> = {
  'requests and limits on every container': limitsAreSet,
  'probes on whatever goes on running': probesAreSet,
  'liveness that spares slow processes': livenessIsPatient,
  'pods under restricted security, with a read-only root': podsAreRestricted,
  'images by a fixed tag': imagesAreFixed,
  'secrets in files alone': secretsAreFiles,
  'files where variables name them': filesAreMounted,
  'no variable that nobody reads': variablesAreKnown,
  'every variable that must be set': requiredVariablesAreSet,
  'simulators in test installations alone': simulatorIsForTests,
  'the network as it is drawn, with the card-data path': waysAreAsDrawn,
  'an internet without private addresses': internetIsNotPrivate,
  'budgets that let nodes be drained': budgetsLetDrains,
  'no replicas where somebody scales': scaledHaveNoReplicas,
  'updates that go on serving': updatesKeepServing,
  'databases and brokers on nodes and in zones of their own': enginesAreSpread,
  'time to end what has begun': stopsFitTheGrace,
  'resources that fit': resourcesFit,
  'jobs named by the release': jobsAreNamedByRelease,
  'jobs that a renewal leaves as they are': jobsNameWhatStays,
  'names and labels as Kubernetes takes them': namesFit,
  'certificates renewed before the alert warns': renewalsComeBeforeTheAlert,
  'certificates of every vault that there may be': vaultsAreNamed,
  'topics as libs/contracts declares them': topicsAreDeclared,
  'users of Kafka as libs/contracts declares them': usersAreDeclared,
  'scalers as KEDA takes them': scalersAreWhole,
  'names that are there': namesAreThere,
  'services that lead somewhere': servicesLeadSomewhere,
};
