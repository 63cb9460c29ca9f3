import { type AlertCase, critical, series, warning } from './alert-case.js';

const ofRisk = (name: string, pod = 'risk-0'): string => series(name, { service: 'risk', pod });

const scored = (outcome: string): string =>
  series('sluice_risk_scorer_calls_total', { service: 'risk', pod: 'risk-0', outcome });

const asked = (network: string, outcome: string): string =>
  series('sluice_risk_directory_requests_total', {
    ...{ service: 'risk', pod: 'risk-0', network, outcome },
  });

/** Those about rules, and about payments under review. */
export const riskAlertCases: readonly AlertCase[] = [
  {
    ...{ alert: 'SluiceReviewsWaiting', because: 'nobody has looked for a day' },
    ...{ at: '1h', fires: [warning] },
    series: { [ofRisk('sluice_risk_review_oldest_seconds')]: '84000+30x200' },
  },
  {
    ...{ alert: 'SluiceReviewsWaiting', because: 'many wait, and are looked at within hours' },
    ...{ at: '1h', fires: [] },
    series: {
      [ofRisk('sluice_risk_review_oldest_seconds')]: '20000+30x60 3000+30x140',
      [ofRisk('sluice_risk_reviews_open')]: '800x200',
    },
  },
  {
    ...{ alert: 'SluiceReviewsUntold', because: 'payments records no decision' },
    ...{ at: '40m', fires: [warning] },
    series: { [ofRisk('sluice_risk_reviews_untold')]: '0x10 1+1x200' },
  },
  {
    ...{ alert: 'SluiceReviewsUntold', because: 'payments was away for some minutes' },
    ...{ at: '40m', fires: [] },
    series: { [ofRisk('sluice_risk_reviews_untold')]: '0x10 7x40 0x200' },
  },
  {
    ...{ alert: 'SluiceOutcomesUnread', because: 'events of a payment cannot be read' },
    ...{ at: '50m', fires: [warning] },
    series: { [ofRisk('sluice_risk_outcomes_unread')]: '0x10 1x200' },
  },
  {
    ...{
      alert: 'SluiceOutcomesUnread',
      because: 'the release that reads them is being rolled out',
    },
    ...{ at: '50m', fires: [] },
    series: { [ofRisk('sluice_risk_outcomes_unread')]: '0x10 12x20 0x200' },
  },
  {
    ...{ alert: 'SluiceRulesUnread', because: 'one of two instances cannot read a file' },
    ...{ at: '40m', fires: [warning] },
    series: {
      [ofRisk('sluice_risk_rules_unread')]: '0x10 1x200',
      [ofRisk('sluice_risk_rules_unread', 'risk-1')]: '0x210',
    },
  },
  {
    ...{
      alert: 'SluiceRulesUnread',
      because: 'the release that has written it is being rolled out',
    },
    ...{ at: '40m', fires: [] },
    series: { [ofRisk('sluice_risk_rules_unread')]: '0x10 1x20 0x200' },
  },
  {
    ...{ alert: 'SluiceScorerAway', because: 'every second question to a scorer has no answer' },
    ...{ at: '40m', fires: [warning] },
    series: {
      [scored('answered')]: '0+30x200',
      [scored('late')]: '0+15x200',
      [scored('paused')]: '0+15x200',
    },
  },
  {
    ...{ alert: 'SluiceScorerAway', because: 'a scorer is late now and then' },
    ...{ at: '40m', fires: [] },
    series: { [scored('answered')]: '0+60x200', [scored('late')]: '0+3x200' },
  },
  {
    ...{ alert: 'SluiceScorerAway', because: 'a scorer was away for some minutes' },
    ...{ at: '40m', fires: [] },
    series: {
      [scored('answered')]: '0+60x20 1200x10 1200+60x170',
      [scored('noAnswer')]: '0x20 0+60x10 600x170',
    },
  },
  {
    ...{ alert: 'SluiceDirectoryServerAway', because: 'a directory server does not answer' },
    ...{ at: '30m', fires: [{ ...critical, network: 'visa' }] },
    series: {
      [asked('visa', 'answered')]: '0+30x200',
      [asked('visa', 'notReached')]: '0+10x200',
      [asked('amex', 'answered')]: '0+30x200',
      [asked('amex', 'refused')]: '0+1x200',
    },
  },
  {
    ...{ alert: 'SluiceDirectoryServerAway', because: 'one was away for some minutes' },
    ...{ at: '40m', fires: [] },
    series: {
      [asked('visa', 'answered')]: '0+30x20 600x5 600+30x170',
      [asked('visa', 'notReached')]: '0x20 0+30x5 150x170',
    },
  },
  {
    ...{ alert: 'SluiceCardRangesOld', because: 'nobody has told card ranges for two days' },
    ...{ at: '30m', fires: [warning] },
    series: { [ofRisk('sluice_risk_card_ranges_age_seconds')]: '172801+60x200' },
  },
  {
    ...{ alert: 'SluiceCardRangesOld', because: 'they are of yesterday' },
    ...{ at: '30m', fires: [] },
    series: { [ofRisk('sluice_risk_card_ranges_age_seconds')]: '86400+60x200' },
  },
];
