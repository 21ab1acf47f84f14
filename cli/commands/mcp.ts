import { only } from "#cli/arguments.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";

export const mcp = defineCommand({
  name: "mcp",
  summary: "Serve the Model Context Protocol on standard input and output, for agents",
  usage: "",
  options: {},
  notes: [
    "It offers search of the documentation, reads and, in a sandbox, writes. In live mode no tool confirms or cancels, but answers with a proposal for a person.",
    'For a client: {"command": "npx", "args": ["settle", "mcp"]}, started in the project\'s folder.',
  ],
  async run({ positionals, profile, signal }) {
    only(positionals);
    const who = profile();
    // Read only here: no other command needs them.
    const [{ openMcpServer }, { StdioServerTransport }] = await Promise.all([
      import("#cli/mcp/server.ts"),
      import("@modelcontextprotocol/sdk/server/stdio.js"),
    ]);
    const server = openMcpServer(who);
    const ended = Promise.withResolvers<void>();
    // The process that started this one is gone, or asked it to stop.
    process.stdin.once("end", ended.resolve);
    process.stdin.once("close", ended.resolve);
    signal.addEventListener("abort", () => ended.resolve(), { once: true });
    await server.connect(new StdioServerTransport());
    await ended.promise;
    await server.close();
    return EXIT.done;
  },
});
