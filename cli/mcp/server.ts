import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { clientOf } from "#cli/client.ts";
import type { Profile } from "#cli/profile.ts";
import { VERSION } from "#cli/version.ts";
import { READS } from "./reads.ts";
import { type Tool, toldTrouble } from "./tool.ts";
import { WRITES } from "./writes.ts";

const INSTRUCTIONS = `Quotes and settlements of a partner of the settlement service: fiat taken, crypto paid on chain, exactly once.
Amounts that are taken are whole minor units. Name your order as intent: the same intent is the same order, so a call may be repeated.
In a sandbox writes are carried out. In live mode confirm and cancel change nothing: hand their answer, a proposal, to the person.`;

/** The server with all its tools, as who is logged in. */
export function openMcpServer(profile: Profile): McpServer {
  const server = new McpServer({ name: "settlement-service", version: VERSION }, { instructions: INSTRUCTIONS });
  const client = clientOf(profile);
  for (const tool of [...READS, ...WRITES]) {
    const { name, title, description, input } = tool;
    server.registerTool(name, { title, description, inputSchema: input, annotations: annotationsOf(tool) }, async (given, { signal }) => {
      try {
        return answer(await tool.run(given, { client, profile, signal }));
      } catch (error) {
        const told = toldTrouble(error);
        if (told === null) throw error;
        return { ...answer(told), isError: true };
      }
    });
  }
  return server;
}

/** Every write is derived from what it is for, so that a repeat does nothing more. */
function annotationsOf({ does }: Tool) {
  return { readOnlyHint: does === "read", destructiveHint: does === "destroy", idempotentHint: true, openWorldHint: true };
}

function answer(told: object) {
  return { content: [{ type: "text" as const, text: JSON.stringify(told, null, 2) }], structuredContent: { ...told } };
}
