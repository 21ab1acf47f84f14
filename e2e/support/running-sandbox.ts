import { dirname } from "node:path";
import { readSandboxFile, sandboxFilePath } from "#sandbox/client/sandbox-file.ts";
import { holdToDocuments } from "./documented.ts";

/** The sandbox under test. It was started for the stories, or `SANDBOX_FILE` names the file of a running one. */
export const sandbox = readSandboxFile();

/** Its data directory. */
export const directory = dirname(sandboxFilePath());

export const chain = sandbox.chains[0];
export const BASE_URL = sandbox.base_url.replace(/\/$/, "");

/** In every story, no answer and no callback may differ from the published documents. */
holdToDocuments(BASE_URL);
