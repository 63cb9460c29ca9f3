import { describe, expect, it } from '@jest/globals';
import { databaseRolesOf, databaseVariableOf, schemaVariableOf } from './service-databases.js';
import { serviceKeys } from './service-row.js';
import {
  calledBy,
  commandSender,
  eventPublishers,
  eventsReadBy,
  eventsRelayedBy,
  localName,
  programOf,
  scalableServices,
  serviceNames,
  serviceRow,
  services,
  servicesWithTables,
  tablesReachedBy,
} from './services.js';

describe('the table of services', () => {
  it('gives each key to its owner', () => {
    for (const [key, { owner }] of Object.entries(serviceKeys)) {
      expect([key, serviceRow(owner).keys]).toEqual([key, expect.arrayContaining([key])]);
    }
  });

  it('has one relay for each service that publishes events, and tables that hold them', () => {
    for (const publisher of eventPublishers) {
      const relays = serviceNames.filter((name) => eventsRelayedBy(name).includes(publisher));
      expect([publisher, relays.length]).toEqual([publisher, 1]);
      expect(servicesWithTables).toContain(publisher);
    }
  });

  it('names nobody as reader or relay of a service that publishes nothing', () => {
    for (const name of serviceNames) {
      const { readsEventsOf = [], relays = [] } = serviceRow(name);
      expect(eventsReadBy(name)).toEqual(readsEventsOf);
      expect(eventsRelayedBy(name)).toEqual(relays);
    }
  });

  it('has one sender of commands, whose replies have the only topic and group', () => {
    const senders = serviceNames.filter((name) => serviceRow(name).sendsCommands === true);
    expect(senders).toEqual([commandSender]);
  });

  it('calls no two services alike, nor two programs', () => {
    const names = serviceNames.map((name) => localName(name));
    expect(new Set(names).size).toBe(names.length);
    // Relays are one program, which is told whose it is.
    const own = serviceNames.filter((name) => eventsRelayedBy(name).length === 0);
    const programs = own.map((name) => programOf(services[name]));
    expect(new Set(programs).size).toBe(programs.length);
  });

  it('lets tables be reached by whoever keeps or relays them', () => {
    expect(tablesReachedBy('payments')).toEqual(['payments']);
    expect(tablesReachedBy('payments-relay')).toEqual(['payments']);
    expect(tablesReachedBy('edge')).toEqual([]);
  });

  it('knows whom a service may ask, and who may run more than once', () => {
    expect(calledBy('edge')).toEqual(expect.arrayContaining(['payments', 'vault']));
    expect(calledBy('edge')).not.toContain('edge');
    expect(calledBy('vault')).toEqual([]);
    expect(scalableServices).toEqual(expect.arrayContaining(['edge', 'payments', 'accounts']));
    expect(scalableServices).not.toContain('simulator');
  });
});

describe("the variables of a service's database", () => {
  it('are one for each role, and a reader where somebody makes tables of its events', () => {
    expect(databaseRolesOf('vault')).toEqual(['app', 'owner']);
    expect(databaseRolesOf('payments').map((role) => databaseVariableOf('payments', role))).toEqual(
      ['PAYMENTS_DATABASE_URL', 'PAYMENTS_OWNER_DATABASE_URL', 'PAYMENTS_READER_DATABASE_URL'],
    );
    expect(schemaVariableOf('vault')).toBe('VAULT_SCHEMA');
  });
});
