import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestTokens } from "#sandbox/chain/tokens.ts";
import { logFile } from "#sandbox/data-directory.ts";
import { nodePart } from "#server/process/node-part.ts";
import type { ServiceOptions } from "#server/process/service-parts.ts";
import type { Part } from "#server/process/supervisor.ts";
import { say } from "#server/process/terminal.ts";
import { type Administrator, forgetPast, freshIsKept, keepFresh } from "./databases.ts";
import type { HistorySettings } from "./main.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const DONE = "exit code 0";
/** After this many failures it gives up; the sandbox works without a history. */
const MOST_ATTEMPTS = 2;

/**
 * Whether this start makes the history: the first start of a sandbox, and later ones until it is done. Call it before anything connects to
 * the database.
 *
 * @returns a role that may create databases; null: there is nothing to do
 */
export async function resumeHistory(plan: { administrator: Administrator; isFirst: boolean; days: number }): Promise<Administrator | null> {
  if (plan.isFirst && plan.days > 0) await keepFresh(plan.administrator);
  return plan.days > 0 && (await freshIsKept(plan.administrator)) ? plan.administrator : null;
}

const DAY_MS = 86_400_000;

/** Some days before the history begins: everybody in it exists by then. */
export function beforeHistory(days: number): Date {
  return new Date(Date.now() - (days + 4) * DAY_MS);
}

type Place = Pick<HistorySettings, "administrator" | "databaseUrl" | "rpcUrl" | "days" | "receiversPort" | "sandboxFile"> & {
  tokens: TestTokens;
  directory: string;
};

/** The process that makes the history, once: it ends by itself, and is started again only when it died on the way. */
export function historyPart(service: ServiceOptions, { directory, ...place }: Place): Part {
  const keyFile = join(directory, "history.key");
  const history: HistorySettings = { ...place, keyFile };
  // It pays from a wallet of its own, and signs itself.
  const env = {
    ...service.env,
    CHAINS: chainsWithWallet(service.env.CHAINS ?? "[]", keyFile),
    SIGNING_JOURNAL: join(directory, "history-journal.log"),
    HISTORY: JSON.stringify(history),
  };
  const part = nodePart({
    name: "The making of history",
    script: MAIN,
    env,
    logFile: logFile(directory, "history"),
    readyTimeoutMs: service.readyTimeoutMs,
    graceMs: 10_000,
  });
  let attempts = 0;
  const start: Part["start"] = async (signal) => {
    attempts += 1;
    if (attempts === 1) say("\nSome weeks of history are being made in the background; they appear in the console in a few minutes.");
    const running = await part.start(signal);
    const ready = Promise.withResolvers<string>();
    void running.exited.then(async (how) => {
      if (signal.aborted || (how !== DONE && attempts < MOST_ATTEMPTS)) return ready.resolve(how);
      if (how === DONE) return say("The history is in the console.");
      say(`The history could not be made (${how}); see ${logFile(directory, "history")}. Everything else works without it.`);
      await forgetPast(place.administrator).catch(() => {});
    });
    const stop = async () => {
      await running.stop();
      ready.resolve("stopped");
    };
    return { exited: ready.promise, stop };
  };
  return { name: part.name, start };
}

/** The service's chains, with payments from a wallet that nobody else signs for, each in a transaction of its own. */
function chainsWithWallet(chains: string, keyFile: string): string {
  const parsed: unknown = JSON.parse(chains);
  const wallets = [{ signer: "sandbox", key_file: keyFile }];
  // The history is of EVM's chain, the first.
  return JSON.stringify(Array.isArray(parsed) ? parsed.slice(0, 1).map((chain: object) => ({ ...chain, wallets, packing: false })) : []);
}
