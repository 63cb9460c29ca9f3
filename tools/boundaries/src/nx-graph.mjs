import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { workspaceRoot } from '../../projects.mjs';

/**
 * What Nx takes the workspace to be, asked of Nx itself: project name → names of what it depends on.
 * @returns {Map<string, string[]>}
 */
export function readNxGraph(root = workspaceRoot) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-nx-graph-'));
  try {
    const file = join(folder, 'graph.json');
    const result = spawnSync(
      process.execPath,
      [join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js'), 'graph', `--file=${file}`],
      { cwd: root, encoding: 'utf8', env: { ...process.env, NX_DAEMON: 'false' } },
    );
    if (result.status !== 0) throw new Error(`nx graph failed: ${result.stdout}${result.stderr}`);
    /** @type {{ graph: { dependencies: Record<string, { target: string }[]> } }} */
    const { graph } = JSON.parse(readFileSync(file, 'utf8'));
    return new Map(
      Object.entries(graph.dependencies).map(([name, edges]) => [
        name,
        edges.map(({ target }) => target),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
