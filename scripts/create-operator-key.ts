/**
 * `npm run create-operator-key -- "name"` issues an operator's API key: the first one of a live installation, or one more when
 * all are lost. It wants the environment of a web process, and prints the key this once.
 */
import { createApiKey } from "#server/services/access/create-api-key.ts";
import { webWiring } from "#server/wiring.ts";

async function main(name: string | undefined): Promise<number> {
  if (name === undefined || name.trim() === "") {
    process.stderr.write('Usage: npm run create-operator-key -- "whose key it is"\n');
    return 2;
  }
  const { ctx, config, database } = webWiring();
  try {
    const mode = config.mode === "live" ? "live" : "test";
    const { id, apiKey } = await createApiKey(ctx, { by: { actor: { type: "system" }, requestId: null }, mode, partnerId: null, name });
    process.stdout.write(`${JSON.stringify({ id, api_key: apiKey })}\n`);
    return 0;
  } finally {
    await database.close();
  }
}

try {
  process.exitCode = await main(process.argv[2]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
