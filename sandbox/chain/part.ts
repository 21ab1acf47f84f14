import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { logFile } from "#sandbox/data-directory.ts";
import { endLeftBehind } from "#sandbox/left-behind.ts";
import type { Part, Running } from "#server/process/supervisor.ts";
import { type AnvilOptions, rpcUrl, startAnvil } from "./anvil.ts";
import { isLarge, keepCopy, repairState } from "./state-file.ts";

export type LocalChain = { part: Part; rpcUrl: string };

type Kind = { name: string; files: string; node: Pick<AnvilOptions, "network" | "chainId" | "blockTimeSeconds"> };
const EVM: Kind = { name: "The local chain", files: "chain", node: { blockTimeSeconds: 1 } };

/** The sandbox's own chain, by default EVM's with a block each second. Its state is stored in the data directory. */
export function localChain(directory: string, port: number, { name, files, node: options }: Kind = EVM): LocalChain {
  const stateFile = join(directory, `${files}.json`);
  const pidFile = join(directory, `${files}.pid`);
  const start = async (): Promise<Running> => {
    await endLeftBehind(pidFile, stateFile, "SIGTERM");
    repairState(stateFile);
    const node = await startAnvil({ ...options, port, stateFile, pidFile, logFile: logFile(directory, files) });
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
  return { part: { name, start }, rpcUrl: rpcUrl(port) };
}
