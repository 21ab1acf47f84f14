import type { Reception } from "./plan.ts";

/** Nobody ever listens there. */
const SILENT_PORT = 9;

export type Receivers = { urlOf(partner: string, reception: Reception): string };

/**
 * The partners' receivers of callbacks, which the sandbox runs on this port (`sandbox/world`): each path gives its own answer. At `gone`
 * nothing listens.
 */
export function receiversAt(port: number): Receivers {
  return {
    urlOf: (partner, reception) => `http://localhost:${reception === "gone" ? SILENT_PORT : port}/${partner}/callbacks/${reception}`,
  };
}
