import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { logFile } from "#sandbox/data-directory.ts";
import { endLeftBehind } from "#sandbox/left-behind.ts";
import type { Part, Running } from "#server/process/supervisor.ts";
import { rpcUrl, startAnvil } from "./anvil.ts";
import { isLarge, keepCopy, repairState } from "./state-file.ts";

export type LocalChain = { part: Part; rpcUrl: string };

/** The sandbox's own chain: a block each second, its state stored in the data directory. */
export function localChain(directory: string, port: number): LocalChain {
  const stateFile = join(directory, "chain.json");
  const pidFile = join(directory, "chain.pid");
  const start = async (): Promise<Running> => {
    await endLeftBehind(pidFile, stateFile, "SIGTERM");
    repairState(stateFile);
    const node = await startAnvil({ port, stateFile, pidFile, blockTimeSeconds: 1, logFile: logFile(directory, "chain") });
    if (existsSync(stateFile)) chmodSync(stateFile, 0o600);
    const copies = keepCopy(stateFile);
    let growing = false;
    const watch = setInterval(() => {
      if (!isLarge(stateFile)) return;
      growing = true;
      clearInterval(watch);
      void node.stop();
    }, 60_000);
    const exited = node.exited.then((how) => {
      clearInterval(watch);
      copies.end();
      return growing ? "to forget its old empty blocks" : how;
    });
    return { exited, stop: () => node.stop() };
  };
  return { part: { name: "The local chain", start }, rpcUrl: rpcUrl(port) };
}
