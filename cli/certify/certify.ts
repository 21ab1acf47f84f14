import { type ClientOptions, certifyClient } from "./client.ts";
import { certifyReceiver, type ReceiverOptions } from "./receiver.ts";
import { type Sheet, sheetOf } from "./sheet.ts";

export type CertifyOptions = { receiver?: ReceiverOptions; client?: ClientOptions; batchClient?: ClientOptions };

/** Certifies a partner's receiver, client and client for batches under faults, and reports the results. */
export async function certify({ receiver, client, batchClient }: CertifyOptions): Promise<Sheet> {
  return sheetOf([
    ...(receiver === undefined ? [] : await certifyReceiver(receiver)),
    ...(client === undefined ? [] : await certifyClient(client)),
    ...(batchClient === undefined ? [] : await certifyClient({ ...batchClient, gets: "batch" })),
  ]);
}
