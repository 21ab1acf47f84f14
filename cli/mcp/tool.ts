import type { z } from "zod";
import { Trouble } from "#cli/exit.ts";
import type { Profile } from "#cli/profile.ts";
import { readMode } from "#cli/service.ts";
import { Refused, type SettlementClient, SettlementError, Unanswered } from "#sdk/typescript/src/index.ts";

/** A tool's arguments besides its input. */
export type Surroundings = { client: SettlementClient; profile: Profile; signal: AbortSignal };

/** Whether writes are only proposed: the service is live, or does not say that it is a sandbox. */
export async function isLive({ profile, signal }: Surroundings): Promise<boolean> {
  return (await readMode(profile, signal)) === "live";
}

/** Why a write is only proposed. */
export const ONLY_PROPOSED = "This service is live, or does not say that it is a sandbox. Only people may move money.";

/** One tool of the server. `does`: its effect, which clients show before they permit it. */
export type Tool<Input extends z.ZodRawShape = z.ZodRawShape> = {
  name: string;
  title: string;
  description: string;
  does: "read" | "write" | "destroy";
  input: Input;
  /** What it answers where nothing went wrong. */
  output: z.ZodObject;
  run(input: z.infer<z.ZodObject<Input>>, surroundings: Surroundings): Promise<object>;
};

export function defineTool<Input extends z.ZodRawShape>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}

/** The error in terms that a model can act on; null: it is a defect. */
export function troubleAnswer(error: unknown): object | null {
  if (error instanceof Refused) {
    const { status, code, detail, faults, requestId } = error;
    return { refused: { status, code, detail, faults, request_id: requestId, explained_at: `/docs/errors/${code}` } };
  }
  if (error instanceof Unanswered) {
    const next = "It is unknown whether anything happened. It is safe to repeat the same call with the same intent.";
    return { unanswered: { message: error.message, next } };
  }
  if (error instanceof SettlementError || error instanceof Trouble || error instanceof TypeError)
    return { trouble: { message: error.message } };
  return null;
}
