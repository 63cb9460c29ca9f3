import { describe, expect, it } from '@jest/globals';
import { commandGroupOf, isProjectionGroup, projectionGroupOf } from './consumer-groups.js';
import { kafkaAccess } from './kafka-access.js';
import { eventReaders, serviceNames } from './services.js';

const tableSet = { id: 12, createdAt: new Date(1_700_000_000_000) };

describe('the groups that feed projections', () => {
  it('begin as the broker lets their service read', () => {
    expect(projectionGroupOf('reporting', tableSet)).toBe('reporting.12.loyw3v28');
    expect(eventReaders).toContain('reporting');
    for (const service of eventReaders) {
      const group = projectionGroupOf(service, tableSet);
      const allowed: Readonly<Record<string, { readonly groups: readonly string[] }>> = kafkaAccess;
      expect([group, allowed[service]?.groups.some((prefix) => group.startsWith(prefix))]).toEqual([
        group,
        true,
      ]);
      expect([group, isProjectionGroup(group)]).toEqual([group, true]);
    }
  });

  it('are told from the others', () => {
    const others = [...serviceNames.map(commandGroupOf), 'edge.replies.3.a1b2c3d4', 'edge.3.x'];
    expect(others.filter(isProjectionGroup)).toEqual([]);
  });
});
