import { operatorClient, partnerClient } from "./patient.ts";
import { BASE_URL, sandbox } from "./running-sandbox.ts";

/** The demo partner, its rival, and the operator. Load that exhausts a rate limit uses the rival's key. */
export const partner = partnerClient(BASE_URL, sandbox.partner);
export const rival = partnerClient(BASE_URL, sandbox.second_partner);
export const operator = operatorClient(BASE_URL, sandbox.operator);
