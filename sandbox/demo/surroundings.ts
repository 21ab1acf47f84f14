import type { z } from "zod";
import type { Answer } from "#sandbox/client/exchange.ts";
import { exchange } from "#sandbox/client/exchange.ts";
import { type OperatorClient, operatorClient, type PartnerClient, partnerClient } from "#sandbox/client/partner.ts";
import { readSandboxFile, type SandboxFile } from "#sandbox/client/sandbox-file.ts";

/** What a scene needs of the running sandbox. */
export type Surroundings = { sandbox: SandboxFile; partner: PartnerClient; operator: OperatorClient };

/** @throws Error with one sentence that says what to do when no sandbox runs. */
export async function findSandbox(): Promise<Surroundings> {
  const sandbox = readSandboxFile();
  await exchange(sandbox.base_url, { method: "GET", target: "/health", headers: [] }).catch((cause: unknown) => {
    throw new Error(`No sandbox answers at ${sandbox.base_url}: start one with "npm start" and leave it running.`, { cause });
  });
  return {
    sandbox,
    partner: partnerClient(sandbox.base_url, sandbox.partner),
    operator: operatorClient(sandbox.base_url, sandbox.operator),
  };
}

/** Reads a good answer with the schema that is published for it. */
export function read<Result extends z.ZodType>(operation: { status: number; result: Result }, answer: Answer): z.infer<Result> {
  if (answer.status !== operation.status) throw new Error(`the service answered ${answer.status}: ${answer.text}`);
  return operation.result.parse(JSON.parse(answer.text));
}

/** What must hold for the demo to go on. */
export function insist(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise);
}
