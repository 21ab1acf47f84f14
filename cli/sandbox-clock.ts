import { randomUUID } from "node:crypto";
import { z } from "zod";
import { EXIT, Trouble } from "./exit.ts";
import { ask, readJson } from "./service.ts";

const clockAnswer = z.object({ now: z.string(), offset_seconds: z.number() });
export type SandboxClock = z.infer<typeof clockAnswer>;

const at = (baseUrl: string) => `${baseUrl}/sandbox/clock`;

/** Business time, of everybody who uses the sandbox. */
export async function readSandboxClock(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<SandboxClock> {
  return await readClock(await ask(at(baseUrl), { headers: { apiKey }, signal }));
}

/** Ahead only. */
export async function moveClock(baseUrl: string, apiKey: string, seconds: number, signal: AbortSignal): Promise<SandboxClock> {
  const headers = { apiKey, "Content-Type": "application/json", "Idempotency-Key": `cli-clock-${randomUUID()}` };
  return await readClock(await ask(at(baseUrl), { method: "POST", headers, body: JSON.stringify({ advance_seconds: seconds }), signal }));
}

async function readClock(answer: Response): Promise<SandboxClock> {
  const body = await readJson(answer);
  const clock = clockAnswer.safeParse(body);
  if (answer.status === 200 && clock.success) return clock.data;
  throw new Trouble(`The sandbox's clock did not answer: ${answer.status} ${JSON.stringify(body)}`, EXIT.refused);
}
