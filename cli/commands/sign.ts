import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { only } from "#cli/arguments.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT, Trouble } from "#cli/exit.ts";
import { aligned } from "#cli/out.ts";
import { sign as signOne } from "#cli/signed.ts";

export const sign = defineCommand({
  name: "sign",
  summary: "Print the five headers of a request and the signing string; send nothing",
  usage: "METHOD TARGET [--body TEXT | --body-file FILE]",
  options: {
    body: { type: "string", value: "TEXT", about: "The body, exactly as sent" },
    "body-file": { type: "string", value: "FILE", about: "File with the body's bytes; - for standard input" },
    timestamp: { type: "string", value: "SECONDS", about: "Unix time to use instead of now" },
    nonce: { type: "string", value: "UUID", about: "Nonce to use instead of a new one" },
  },
  notes: ["TARGET is the path and query as sent: /api/v1/settlements?limit=5. The API key is one of the headers. The secret is not shown."],
  async run({ values, positionals, out, profile }) {
    const [method = "", target = ""] = only(positionals, "METHOD", "TARGET");
    if (!/^[A-Z]+$/.test(method)) throw new Trouble(`The method must be in capitals, as it is signed, not "${method}".`);
    if (!target.startsWith("/")) throw new Trouble(`TARGET must begin with a slash, not "${target}".`);
    if (values.timestamp !== undefined && !/^\d+$/.test(values.timestamp))
      throw new Trouble("--timestamp must be Unix time in whole seconds.");
    const body = readBody(values.body, values["body-file"]);
    const { headers, parts, bytes } = await signOne(profile(), { method, target, body }, values);
    const signed = Buffer.from(bytes).toString("utf8");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    out.print({ headers: Object.fromEntries(headers), signing_string: signed, signing_string_sha256: sha256, ...parts }, (paint) =>
      [aligned(headers, paint), "", paint.dim(`Signed (SHA-256 ${sha256}):`), signed].join("\n"),
    );
    return EXIT.done;
  },
});

function readBody(text: string | undefined, file: string | undefined): Uint8Array {
  if (text !== undefined && file !== undefined) throw new Trouble("Use either --body or --body-file.");
  if (file === undefined) return Buffer.from(text ?? "");
  try {
    return readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    throw new Trouble(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}
