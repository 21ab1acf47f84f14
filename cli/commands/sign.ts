import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { only } from "#cli/arguments.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT, Trouble } from "#cli/exit.ts";
import { aligned } from "#cli/out.ts";
import { sign as signOne } from "#cli/signed.ts";

export const sign = defineCommand({
  name: "sign",
  summary: "Print the five headers of a request and what was signed; sends nothing",
  usage: "METHOD TARGET [--body TEXT | --body-file FILE]",
  options: {
    body: { type: "string", value: "TEXT", about: "The body, as it is sent" },
    "body-file": { type: "string", value: "FILE", about: "The body's bytes; - for standard input" },
    timestamp: { type: "string", value: "SECONDS", about: "Unix time in place of now" },
    nonce: { type: "string", value: "UUID", about: "In place of a fresh one" },
  },
  notes: [
    "TARGET is path and query as they go out: /api/v1/settlements?limit=5. The API key is one of the headers; the secret is shown nowhere.",
  ],
  async run({ values, positionals, out, profile }) {
    const [method = "", target = ""] = only(positionals, "METHOD", "TARGET");
    if (!/^[A-Z]+$/.test(method)) throw new Trouble(`A method is written in capitals, as it is signed: not "${method}".`);
    if (!target.startsWith("/")) throw new Trouble(`TARGET begins with the path's slash: not "${target}".`);
    if (values.timestamp !== undefined && !/^\d+$/.test(values.timestamp)) throw new Trouble("--timestamp is Unix time in whole seconds.");
    const body = readBody(values.body, values["body-file"]);
    const { headers, parts, bytes } = await signOne(profile(), { method, target, body }, values);
    const signed = Buffer.from(bytes).toString("utf8");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    out.tell({ headers: Object.fromEntries(headers), signing_string: signed, signing_string_sha256: sha256, ...parts }, (paint) =>
      [aligned(headers, paint), "", paint.dim(`Signed (SHA-256 ${sha256}):`), signed].join("\n"),
    );
    return EXIT.done;
  },
});

function readBody(text: string | undefined, file: string | undefined): Uint8Array {
  if (text !== undefined && file !== undefined) throw new Trouble("Either --body or --body-file.");
  if (file === undefined) return Buffer.from(text ?? "");
  try {
    return readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    throw new Trouble(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
