import type { Database } from "#db/client.ts";
import type { CallbackSender, ChainDirectory, Clock, Log, Meter, Vault } from "#server/ports.ts";

/** Everything a service may be handed. A service names what it uses, and can touch nothing else. */
export type Context = {
  db: Database;
  clock: Clock;
  vault: Vault;
  chains: ChainDirectory;
  callbacks: CallbackSender;
  log: Log;
  meter: Meter;
};

/** `Uses<"db" | "clock">`: the powers a service asks for. */
export type Uses<Power extends keyof Context> = Pick<Context, Power>;
