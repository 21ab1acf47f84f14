import type { Brokers } from "#domain/event-destination.ts";
import { createGuard, type GuardOptions } from "#server/adapters/callbacks/guard.ts";
import { type Resolve, resolvePublicName } from "#server/adapters/callbacks/resolve.ts";
import { openAmqp } from "./amqp.ts";
import { BROKER_PORTS, type BrokerAddress, readBrokerUrl } from "./broker-url.ts";
import { CONNECT_MS } from "./confirmations.ts";
import { openNats } from "./nats.ts";

/** `allowPlain`: also without encryption. Sandbox only. */
export type BrokersOptions = Omit<GuardOptions, "resolve" | "allowHttp"> & {
  allowPlain: boolean;
  /** How names become addresses; DNS when left out. */
  resolve?: Resolve;
  /** Certificates to trust instead of the machine's own, in PEM. */
  ca?: string;
};

const OPENERS = { amqp: openAmqp, nats: openNats } as const;

/** Partners' brokers: see the port. Hosts are judged as those of callback URLs, and only a judged address is connected to. */
export function createBrokers({ allowPlain, ports, ca, resolve, ...options }: BrokersOptions): Brokers {
  const guard = createGuard({
    ...options,
    resolve: resolve ?? resolvePublicName,
    allowHttp: false,
    ports: ports ? [...ports, ...BROKER_PORTS] : null,
  });
  const admit = ({ host, port }: BrokerAddress) => guard(`https://${host}:${port}/`);
  return {
    async judge(type, url) {
      const at = readBrokerUrl(type, url, allowPlain);
      if ("reason" in at) return { verdict: "malformed", reason: at.reason };
      const admission = await admit(at);
      return admission.verdict === "forbidden" || admission.verdict === "malformed" ? admission : { verdict: "allowed" };
    },
    async open(type, url) {
      const at = readBrokerUrl(type, url, allowPlain);
      if ("reason" in at) return at.reason;
      const admission = await admit(at);
      if (admission.verdict !== "allowed") return admission.reason;
      const [address = ""] = admission.addresses;
      try {
        return await inTime(OPENERS[type](at, address, ca));
      } catch (error) {
        return `The broker let nobody in: ${wordsOf(error)}.`;
      }
    },
  };
}

/** What opens too late is closed again. */
async function inTime<Link extends { close(): Promise<unknown> }>(opening: Promise<Link>): Promise<Link> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("it did not answer in time")), CONNECT_MS);
  });
  try {
    return await Promise.race([opening, patience]);
  } catch (error) {
    opening.then((link) => link.close()).catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** In one line. Neither library names the credentials. */
function wordsOf(error: unknown): string {
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) };
  return (code ?? message).replace(/\s+/g, " ").slice(0, 200);
}
