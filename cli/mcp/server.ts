import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { clientOf } from "#cli/client.ts";
import type { Profile } from "#cli/profile.ts";
import { VERSION } from "#cli/version.ts";
import { BATCH_TOOLS } from "./batches.ts";
import { findPage, readPages } from "./pages.ts";
import { READS } from "./reads.ts";
import { type Tool, troubleAnswer } from "./tool.ts";
import { WRITES } from "./writes.ts";

const INSTRUCTIONS = `Quotes and settlements of a partner of the settlement service: fiat taken, crypto paid on chain, exactly once.
Amounts that are taken are whole minor units. Name your order as intent: the same intent is the same order, so a call may be repeated.
In a sandbox writes are carried out. In live mode confirm and cancel change nothing: hand their answer, a proposal, to the person.`;

/** The server with all its tools, with the logged-in key. */
export function openMcpServer(profile: Profile): McpServer {
  const server = new McpServer({ name: "settlement-service", version: VERSION }, { instructions: INSTRUCTIONS });
  const client = clientOf(profile);
  for (const tool of [...READS, ...WRITES, ...BATCH_TOOLS]) {
    const { name, title, description, input: inputSchema, output: outputSchema } = tool;
    const definition = { title, description, inputSchema, outputSchema, annotations: annotationsOf(tool) };
    server.registerTool(name, definition, async (given, { signal }) => {
      try {
        return answer(await tool.run(given, { client, profile, signal }));
      } catch (error) {
        const trouble = troubleAnswer(error);
        if (trouble === null) throw error;
        return { content: contentOf(trouble), isError: true };
      }
    });
  }
  registerDocs(server, profile);
  return server;
}

/** Each page of the documentation as a resource, for clients that let a person choose what a model reads. */
function registerDocs(server: McpServer, { base_url }: Profile): void {
  const mimeType = "text/markdown";
  const uriOf = (path: string) => `settlement:${path}`;
  const list = async ({ signal }: { signal: AbortSignal }) => {
    const titles = new Map((await readPages(base_url, signal)).toReversed().map(({ path, title }) => [path, title]));
    return { resources: [...titles].toReversed().map(([path, title]) => ({ uri: uriOf(path), name: path, title, mimeType })) };
  };
  const about = { title: "Documentation", description: "Pages of the settlement service's documentation", mimeType };
  server.registerResource("documentation", new ResourceTemplate("settlement:{+path}", { list }), about, async (uri, _given, { signal }) => {
    const page = findPage(await readPages(base_url, signal), uri.pathname);
    if (page === null) throw new McpError(ErrorCode.InvalidParams, `There is no page ${uri.pathname}.`);
    return { contents: [{ uri: uri.href, mimeType, text: `# ${page.title}\n\n${page.text}` }] };
  });
}

/** Every write is derived from what it is for, so that a repeat does nothing more. */
function annotationsOf({ does }: Tool) {
  return { readOnlyHint: does === "read", destructiveHint: does === "destroy", idempotentHint: true, openWorldHint: true };
}

function answer(content: object) {
  return { content: contentOf(content), structuredContent: { ...content } };
}

/** Errors only have text: clients validate structured content against the tool's schema, also for errors. */
function contentOf(value: object) {
  return [{ type: "text" as const, text: JSON.stringify(value, null, 2) }];
}
