import type { SeededRandom } from '@sluice/testing/programs';
import type { Installation } from './installation.js';

/** Something that happens to the installation, until it is over. */
interface Disturbance {
  readonly name: string;
  /** Absent where it cannot be done here. */
  readonly needs?: (installation: Installation) => boolean;
  readonly happen: (installation: Installation, random: SeededRandom) => Promise<string>;
}

const JUMPS_MS = [-3_600_000, -60_000, -5_000, 5_000, 60_000, 3_600_000];
const QUIET_MIN_MS = 400;
const QUIET_MAX_MS = 2_000;

const disturbances: readonly Disturbance[] = [
  {
    name: 'gateway killed',
    happen: async (installation, random) => {
      await installation.killPaying(random, random.integer(0, 400));
      return 'kill -9, and a start';
    },
  },
  {
    name: 'PostgreSQL killed',
    happen: async (installation) => {
      await installation.killPostgres();
      return 'kill -9, and a start';
    },
  },
  {
    name: 'connections cut at requests',
    happen: async (installation, random) => {
      const times = random.integer(2, 5);
      for (let time = 0; time < times; time += 1) {
        await installation.cutAtRequest();
        await pause(random.integer(50, 400));
      }
      return `${times} times`;
    },
  },
  {
    name: 'connections cut in the COMMIT',
    happen: async (installation, random) => {
      const times = random.integer(2, 5);
      for (let time = 0; time < times; time += 1) {
        await installation.cutAtAnswer(random.integer(0, 100));
        await pause(random.integer(50, 400));
      }
      return `${times} times, committed and not answered`;
    },
  },
  {
    name: "gateway's clock set",
    happen: async (installation, random) => {
      const jumpMs = random.pick(JUMPS_MS);
      await installation.jump(random, jumpMs, random.integer(1_000, 3_000));
      return `by ${jumpMs / 1_000} s, and back`;
    },
  },
  {
    name: 'database read-only',
    happen: async (installation, random) => {
      await installation.setReadOnly(true);
      await pause(random.integer(300, 1_500));
      await installation.setReadOnly(false);
      return 'for a while';
    },
  },
  {
    name: 'database full',
    needs: ({ hasVolume }) => hasVolume,
    happen: async (installation, random) => {
      await installation.fill();
      await pause(random.integer(500, 2_000));
      await installation.empty();
      return 'not a block left for a while';
    },
  },
];

/** Those that cannot be done on this machine. */
export function left(installation: Installation): readonly string[] {
  return disturbances
    .filter(({ needs }) => needs?.(installation) === false)
    .map(({ name }) => name);
}

/** Everything once, in an order and at times that are drawn; tells each as it is over. */
export async function disturb(
  installation: Installation,
  random: SeededRandom,
  onDone: (sentence: string) => void,
): Promise<void> {
  const possible = disturbances.filter(({ needs }) => needs?.(installation) ?? true);
  const order = possible
    .map((disturbance) => ({ disturbance, place: random.fraction() }))
    .sort((one, other) => one.place - other.place);
  for (const { disturbance } of order) {
    const { name, happen } = disturbance;
    await pause(random.integer(QUIET_MIN_MS, QUIET_MAX_MS));
    const startedAt = performance.now();
    const what = await happen(installation, random.fork(name));
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    onDone(`${name}: ${what} (${seconds} s)`);
    await installation.revive();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
