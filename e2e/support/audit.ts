import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const AUDIT = fileURLToPath(new URL("../../scripts/audit.ts", import.meta.url));

/** As `npm run audit` does, on the sandbox of that file. */
export function audit(sandboxFile: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, MODE: "sandbox", DATA_DIR: dirname(sandboxFile), NODE_OPTIONS: "" };
  return new Promise((resolve) => {
    execFile(process.execPath, [AUDIT, ...args], { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: stdout + stderr });
    });
  });
}

/** The audit's output other than passed rules. */
export function faultsIn(output: string): string[] {
  return output.split("\n").filter((line) => line !== "" && !line.startsWith("✓"));
}
