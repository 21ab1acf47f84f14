import { readSignerConfig } from "#server/config/read-signer.ts";
import type { SignerConfig } from "#server/config/signer.ts";
import { VARIABLES } from "#server/config/variables.ts";
import { ConfigError, readWorkerConfig, type WorkerConfig } from "#server/config.ts";
import { signerEnvironment, workerEnvironment } from "./environment.ts";

type Environment = NodeJS.ProcessEnv;

/**
 * The settings of a whole service, as its start reads them: the worker's with everything that the web process reads, and the signer's.
 *
 * @throws ConfigError with everything that is wrong with either
 */
export function readWhole(env: Environment): { config: WorkerConfig; signing: SignerConfig } {
  const own = workerEnvironment(env);
  const opening = Object.keys(signerEnvironment(env)).filter((name) => !(name in own) && !(name in VARIABLES.shape));
  const whole = Object.fromEntries(Object.entries(env).filter(([name]) => !opening.includes(name)));
  const problems: string[] = [];
  const read = <Settings>(of: () => Settings): Settings | null => {
    try {
      return of();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return null;
    }
  };
  const config = read(() => readWorkerConfig(whole));
  const signing = read(() => readSignerConfig(signerEnvironment(env)));
  if (config === null || signing === null) throw new ConfigError(env.MODE === "live" ? "live" : "sandbox", [...new Set(problems)]);
  return { config, signing };
}
