import type { Rule } from './manifests.js';
import { productionRules } from './production-rules.js';
import { cellsAreTold } from './rules/cells.js';
import { renewalsComeBeforeTheAlert } from './rules/certificates.js';
import { imagesAreFixed, limitsAreSet } from './rules/containers.js';
import { scalersAreWhole, topicsAreDeclared, usersAreDeclared } from './rules/contracts.js';
import { enginePodsAreBound } from './rules/engine-pods.js';
import { enginesAreSpread } from './rules/engines.js';
import {
  filesAreMounted,
  requiredVariablesAreSet,
  secretsAreFiles,
  simulatorIsForTests,
  variablesAreKnown,
} from './rules/environment.js';
import { ingressesLeadToEdge, servicesStayInside } from './rules/exposure.js';
import { instancesAreEnough, selectorsFitPods, updatesReachPods } from './rules/instances.js';
import { jobsAreNamedByRelease, jobsNameWhatStays } from './rules/jobs.js';
import { namesFit } from './rules/names.js';
import { waysAreAsDrawn } from './rules/network.js';
import { nothingIsCalledSecret, secretsAreNotCommitted } from './rules/plain-secrets.js';
import { podsSayWhoTheyAre, secretsAreOwn } from './rules/pod-identity.js';
import { podsAreRestricted } from './rules/pod-security.js';
import { livenessIsPatient, probesAreSet } from './rules/probes.js';
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
  'nothing that is called a secret in plain text': nothingIsCalledSecret,
  'secrets that are not committed': secretsAreNotCommitted,
  'secrets in the pods that they are for': secretsAreOwn,
  'files where variables name them': filesAreMounted,
  'no variable that nobody reads': variablesAreKnown,
  'every variable that must be set': requiredVariablesAreSet,
  'simulators in test installations alone': simulatorIsForTests,
  'cells that whoever asks payments is told of': cellsAreTold,
  'the network as it is drawn, with the card-data path': waysAreAsDrawn,
  'pods that say who they are': podsSayWhoTheyAre,
  'services that stay inside': servicesStayInside,
  'an Ingress that leads to edge': ingressesLeadToEdge,
  'budgets that let nodes be drained': budgetsLetDrains,
  'selectors that fit pods': selectorsFitPods,
  'instances to go on with when one ends': instancesAreEnough,
  'updates that reach the pods': updatesReachPods,
  'no replicas where somebody scales': scaledHaveNoReplicas,
  'updates that go on serving': updatesKeepServing,
  'databases and brokers on nodes and in zones of their own': enginesAreSpread,
  'limits and restrictions on what operators make': enginePodsAreBound,
  'time to end what has begun': stopsFitTheGrace,
  'resources that fit': resourcesFit,
  'jobs named by the release': jobsAreNamedByRelease,
  'jobs that a renewal leaves as they are': jobsNameWhatStays,
  'names and labels as Kubernetes takes them': namesFit,
  'certificates renewed before the alert warns': renewalsComeBeforeTheAlert,
  'topics as libs/contracts declares them': topicsAreDeclared,
  'users of Kafka as libs/contracts declares them': usersAreDeclared,
  'scalers as KEDA takes them': scalersAreWhole,
  ...productionRules,
  'names that are there': namesAreThere,
  'services that lead somewhere': servicesLeadSomewhere,
};
