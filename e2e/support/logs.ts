import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "@playwright/test";
import { sandboxFilePath } from "#sandbox/client/sandbox-file.ts";

/** All logs of the sandbox's processes, once they contain that request. */
export async function logsWith(requestId: string): Promise<string> {
  await expect.poll(() => readLogs().includes(requestId), { message: `${requestId} is in no log` }).toBe(true);
  return readLogs();
}

function readLogs(): string {
  const folder = join(dirname(sandboxFilePath()), "logs");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("\n");
}
