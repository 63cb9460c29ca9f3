// The one file that imports the apps: loading them takes longer than starting PostgreSQL, so it is
// itself imported only once that is on its way.
export { AccountsModule } from '@sluice/accounts';
export { RiskModule } from '@sluice/risk';
export { SepaModule } from '@sluice/sepa';
export { startDemoShop } from '@sluice/demo-shop';
export { EdgeModule } from '@sluice/edge';
export { startRelay } from '@sluice/aggregates';
export { PaymentsModule } from '@sluice/payments';
export { ReferencePageModule } from '@sluice/reference-page';
export { CheckoutsModule } from '@sluice/checkouts';
export { RegistrationsModule } from '@sluice/registrations';
export { ReportingModule } from '@sluice/reporting';
export { SchedulingModule } from '@sluice/scheduling';
export { SimulatorModule } from '@sluice/simulator';
export { VaultModule } from '@sluice/vault';
export { WebhooksModule } from '@sluice/webhooks';
