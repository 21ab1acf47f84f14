import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { ROOT } from "#scripts/suites.ts";

/** `npx settle mcp` as an agent's client uses it: a separate process, over its standard input and output. */
export type Agent = {
  client: Client;
  call(name: string, input?: Record<string, unknown>): Promise<{ isError: boolean; value: Record<string, unknown> }>;
  /** The server's output outside of the protocol. */
  stderr(): string;
  close(): Promise<void>;
};

export async function openAgent(profile: string): Promise<Agent> {
  const args = [join(ROOT, "cli", "main.ts"), "mcp", "--profile", profile];
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd: ROOT, stderr: "pipe" });
  let stderr = "";
  transport.stderr?.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const client = new Client({ name: "the tests", version: "1" });
  await client.connect(transport);
  // From here on the client validates every answer against its tool's schema.
  await client.listTools();
  return {
    client,
    async call(name, input = {}) {
      const { content, isError = false } = CallToolResultSchema.parse(await client.callTool({ name, arguments: input }));
      const [first] = content;
      if (first?.type !== "text") throw new Error("the tool returned no text");
      return { isError, value: isError && !first.text.startsWith("{") ? { message: first.text } : JSON.parse(first.text) };
    },
    stderr: () => stderr,
    close: () => client.close(),
  };
}
