import { parseArgs } from "node:util";
import { certify } from "./certify.ts";
import { writeSheet } from "./sheet.ts";

/** `settle certify --receiver` by itself. The receiver's secrets come by the environment, never by the command line, which every process can read. */
const USAGE = `node cli/certify/main.ts --receiver URL [--brand WORD] [--json]

  --receiver URL     where your callbacks go; CALLBACK_SECRET and API_SECRET in the environment are what it checks them with
  --brand WORD       the word in the names of the signing headers (Service)
  --json             the sheet as JSON

A client is certified with a sandbox: settle certify --client COMMAND.
Exit code 0: everything passed. 4: something failed. 2: the command was wrong.
`;

const OPTIONS = { receiver: { type: "string" }, brand: { type: "string" }, json: { type: "boolean" } } as const;

const ended = new AbortController();
const { signal } = ended;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => ended.abort());

/** The parsed arguments, or what is wrong with them. */
function read(): Parameters<typeof certify>[0] & { json: boolean; wrong: string | null } {
  const { env } = process;
  let values: ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];
  try {
    ({ values } = parseArgs({ options: OPTIONS }));
  } catch (error) {
    return { json: false, wrong: error instanceof Error ? error.message : String(error) };
  }
  const { receiver: url, brand = "Service", json = false } = values;
  const { CALLBACK_SECRET: callbackSecret = "", API_SECRET: apiSecret = "" } = env;
  const faults = [
    url === undefined && "Name a receiver.",
    url !== undefined && !/^https?:\/\/\S+$/.test(url) && `${url} is not the URL of a receiver.`,
    url !== undefined && (!callbackSecret || !apiSecret) && "To test a receiver, set CALLBACK_SECRET and API_SECRET in the environment.",
  ];
  return {
    json,
    wrong: faults.find((fault) => fault !== false) || null,
    ...(url === undefined ? {} : { receiver: { url, brand, callbackSecret, apiSecret, signal } }),
  };
}

const { json, wrong, ...asked } = read();
if (wrong === null) {
  const sheet = await certify(asked);
  if (!signal.aborted) process.stdout.write(json ? `${JSON.stringify(sheet)}\n` : writeSheet(sheet));
  process.exitCode = signal.aborted ? 130 : sheet.passed ? 0 : 4;
} else {
  process.stderr.write(`${wrong}\n\n${USAGE}`);
  process.exitCode = 2;
}
