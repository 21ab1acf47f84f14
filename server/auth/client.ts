/** The client address of a console request, as the front door recorded it. */
export type Client = { address: string; userAgent: string | null; requestId: string | null };

/** The front door writes it on every request of Next's, and drops what a client sends under that name. */
const CLIENT_ADDRESS_HEADER = "x-client-address";

export function readClient(header: (name: string) => string | null): Client {
  return {
    address: header(CLIENT_ADDRESS_HEADER) ?? "unknown",
    userAgent: header("user-agent"),
    requestId: header("x-request-id"),
  };
}
