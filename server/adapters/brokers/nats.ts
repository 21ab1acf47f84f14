import { jetstream } from "@nats-io/jetstream";
import { connect, headers as newHeaders } from "@nats-io/transport-node";
import type { BrokerLink } from "#domain/event-destination.ts";
import { servernameOf } from "./amqp.ts";
import type { BrokerAddress } from "./broker-url.ts";
import { CONFIRM_MS, CONNECT_MS } from "./confirmations.ts";

/** What subjects begin with where the URL does not say; then comes the event's type. */
const DEFAULT_SUBJECT = "events";

/** Publishes to JetStream, which confirms what a stream has stored. It never follows a cluster to other addresses. */
export async function openNats(at: BrokerAddress, address: string, ca: string | undefined): Promise<BrokerLink> {
  const { isEncrypted, port, username, password, host } = at;
  // The connection goes to an address: this is the name in its certificate.
  const tls = { servername: servernameOf(host), ...(ca !== undefined && { ca }) };
  const connection = await connect({
    servers: `${address.includes(":") ? `[${address}]` : address}:${port}`,
    timeout: CONNECT_MS,
    reconnect: false,
    ignoreClusterUpdates: true,
    ...credentialsOf(username, password),
    tls: isEncrypted ? tls : null,
  });
  const stream = jetstream(connection, { timeout: CONFIRM_MS });
  const subject = at.settings.subject ?? DEFAULT_SUBJECT;
  return {
    async send({ id, type, body, headers }) {
      const sent = newHeaders();
      for (const [name, value] of Object.entries(headers)) sent.set(name, value);
      try {
        await stream.publish(`${subject}.${type}`, body, { msgID: id, headers: sent });
        return null;
      } catch (error) {
        return `The broker did not confirm the event: ${String(error instanceof Error ? error.message : error).slice(0, 200)}.`;
      }
    },
    close: () => connection.close().catch(() => {}),
  };
}

/** A user alone is a token. */
function credentialsOf(username: string, password: string) {
  if (username === "") return {};
  return password === "" ? { token: username } : { user: username, pass: password };
}
