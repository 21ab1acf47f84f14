import { totpCode } from "#domain/totp.ts";
import { callOverTls, type Reply } from "./live-stage.ts";

/** A console user over HTTP, like the pages: signs in and makes the console's calls. */
export type ConsolePerson = {
  /** Signs in again; with a code where the person has two factors. */
  signIn(): Promise<void>;
  /** Enrols a second factor, as everybody who decides must first. */
  enrol(): Promise<void>;
  query(procedure: string, input?: object): Promise<Reply>;
  mutate(procedure: string, input?: object): Promise<Reply>;
};

const HALF_MINUTE_MS = 30_000;

export function consolePerson(origin: string, { email, password }: { email: string; password: string }): ConsolePerson {
  const jar = new Map<string, string>();
  let secret: Uint8Array | null = null;
  let lastStep = 0;

  const call = async (method: string, target: string, type: string, body = ""): Promise<Reply> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { origin, ...(cookie === "" ? {} : { cookie }), ...(method === "POST" ? { "content-type": type } : {}) };
    const reply = await callOverTls(origin, method, target, headers, body);
    for (const line of reply.cookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    return reply;
  };
  const mutate = (procedure: string, input?: object) =>
    call("POST", `/api/trpc/${procedure}`, "application/json", input === undefined ? "" : JSON.stringify(input));

  /** Each code is good once: the next one is that of a later half minute, which is taken half a minute early. */
  const nextCode = (): string => {
    lastStep = Math.max(Math.floor(Date.now() / HALF_MINUTE_MS), lastStep + 1);
    return totpCode(secret ?? new Uint8Array(), lastStep);
  };

  return {
    async signIn() {
      jar.clear();
      const { csrfToken } = JSON.parse((await call("GET", "/api/auth/csrf", "")).body);
      const otp = secret === null ? "" : nextCode();
      const form = new URLSearchParams({ email, password, otp, csrfToken, json: "true", callbackUrl: "/console" });
      const reply = await call("POST", "/api/auth/callback/credentials", "application/x-www-form-urlencoded", String(form));
      if (reply.status !== 200) throw new Error(`${email} cannot sign in: ${reply.status} ${reply.body}`);
    },
    async enrol() {
      const begun = resultOf(await mutate("account.beginTwoFactors"));
      secret = fromBase32(String(begun.secret));
      resultOf(await mutate("account.confirmTwoFactors", { code: nextCode() }));
    },
    query: (procedure, input) =>
      call("GET", `/api/trpc/${procedure}${input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`}`, ""),
    mutate,
  };
}

/** What a call of the console's answered; a refusal is an error. */
export function resultOf({ status, body }: Reply): Record<string, unknown> {
  if (status !== 200) throw new Error(`${status} ${body}`);
  return JSON.parse(body).result.data;
}

/** The code of the refusal that a call of the console's ended in. */
export function refusalOfCall({ body }: Reply): string {
  return JSON.parse(body).error.data.refusal.code;
}

function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
