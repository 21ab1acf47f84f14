/** What of the sync client is written in another way in the async one. Each must be there. */
const RENAMED: readonly (readonly [string, string])[] = [
  [
    `"""The service, as a partner's program speaks with it."""\n`,
    `"""The service, as an asyncio program speaks with it: \`settlement_sdk.client\` with \`await\`."""\n`,
  ],
  ["from .transport import Transport", "from .async_transport import AsyncTransport, Closable"],
  ["transport: Transport)", "transport: AsyncTransport)"],
  ["super().__init__(Transport(", "super().__init__(AsyncTransport("],
  ["class SettlementClient(_Operations):", "class AsyncSettlementClient(Closable, _Operations):"],
  [
    "and threads may share it.",
    "and the tasks of one event loop may share it.\n    It keeps connections: use it in `async with`, or end it with `aclose`.",
  ],
  ["Iterator", "AsyncIterator"],
  ["self._run(", "await self._run("],
];

/** Python's async client, out of the text of the sync one: the same operations and plans, run by a transport that awaits. */
export function asyncClientOf(client: string): string {
  const [head = "", ...methods] = client.split(/^(?= {4}def )/m);
  const awaiting = methods.map((method) => (method.includes("self._run(") ? method.replace("def ", "async def ") : method));
  const renamed = RENAMED.reduce(
    (text, [sync, other]) => {
      if (!text.includes(sync)) throw new Error(`sdk/python's client does not say ${JSON.stringify(sync)}: see scripts/openapi-async.ts`);
      return text.replaceAll(sync, other);
    },
    [head, ...awaiting].join(""),
  );
  return `# Written by scripts/openapi.ts out of client.py: not to be changed by hand.\n${renamed}`;
}
