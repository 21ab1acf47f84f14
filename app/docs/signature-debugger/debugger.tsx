"use client";

import { type ComponentProps, useId, useState } from "react";
import { type Bytes, hexText, utf8Bytes, utf8Text } from "#domain/bytes.ts";
import { messageOf, rightDraft } from "#domain/signature-debugger/drafts.ts";
import type { SignatureVerdict } from "#domain/signature-debugger/search.ts";
import { searchInBrowser, sha256 } from "../../_signature/browser-search.ts";
import { Comparison } from "../../_signature/comparison.tsx";
import { type Components, ComponentsTable } from "../../_signature/components-table.tsx";
import { Verdict } from "../../_signature/verdict.tsx";
import { SIGNATURE } from "../../_signature/words.ts";

type Form = Components & { signature: string; secret: string; apiKey: string; nonce: string };
const EMPTY: Form = {
  timestamp: "",
  method: "POST",
  path: "/api/v1/settlements",
  query: "",
  body: "",
  signature: "",
  secret: "",
  apiKey: "",
  nonce: "",
};

type Findings = Required<Omit<ComponentProps<typeof ComponentsTable>, "t">> & { verdict: SignatureVerdict };

/** Finds the mistake in a signature within this page: the input is sent nowhere. */
export function SignatureDebugger({ host }: { host: string }) {
  const [form, setForm] = useState(EMPTY);
  const [file, setFile] = useState<{ name: string; bytes: Bytes } | null>(null);
  const [findings, setFindings] = useState<Findings | null>(null);
  const [state, setState] = useState<"ready" | "searching" | "failed">("ready");
  const set = (next: Partial<Form>) => setForm({ ...form, ...next });
  const missing = form.timestamp === "" || form.path === "" || form.signature === "" || form.secret === "";
  const find = async () => {
    setState("searching");
    setFindings(null);
    try {
      setFindings(await judge(form, file?.bytes ?? utf8Bytes(form.body), host));
      setState("ready");
    } catch {
      setState("failed");
    }
  };
  const text = (name: keyof Form, label: string, more: Partial<ComponentProps<typeof Line>> = {}) => (
    <Line label={label} value={form[name]} onValue={(value) => set({ [name]: value })} {...more} />
  );
  return (
    <div className="sig-form">
      <div className="sig-pair">
        {text("timestamp", "Timestamp header", { inputMode: "numeric" })}
        {text("method", "Method")}
      </div>
      {text("path", "Path", { hint: "As you requested it, with /api/v1 in front" })}
      {text("query", "Query", { hint: "Without the question mark; empty when there is none" })}
      <BodyField body={form.body} file={file} onBody={(body) => set({ body })} onFile={setFile} />
      {text("signature", "Signature that you sent")}
      <div className="sig-pair">
        {text("secret", "API secret", { type: "password", hint: "Stays in this page" })}
        {text("apiKey", "API key (optional)", { type: "password", hint: "To check whether you used it as the secret" })}
      </div>
      {text("nonce", "Nonce header (optional)", { hint: "To check whether you signed it as well" })}
      <button type="button" className="sig-button" disabled={missing || state === "searching"} onClick={() => void find()}>
        {state === "searching" ? "Trying known mistakes…" : "Find the mistake"}
      </button>
      <p role="status" className="sig-note">
        {state === "failed" && "This browser offers no WebCrypto here: open the page over https, or on localhost."}
      </p>
      {findings && <Found findings={findings} />}
    </div>
  );
}

function Found({ findings }: { findings: Findings }) {
  const { verdict, components, ...rest } = findings;
  const wanted = [components.timestamp, components.method, components.path, components.query, components.body].join("\n");
  return (
    <>
      <Verdict verdict={verdict} />
      <ComponentsTable t={SIGNATURE} components={components} {...rest} />
      <Comparison t={SIGNATURE} wanted={wanted} />
    </>
  );
}

async function judge(form: Form, body: Bytes, host: string): Promise<Findings> {
  const method = form.method.trim().toUpperCase();
  // Wider characters cannot have been on the wire: they were percent-encoded there, so encode them here.
  const [path, query] = [encodeWide(form.path.trim()), encodeWide(form.query.trim().replace(/^\?/, ""))];
  const timestamp = form.timestamp.trim();
  const request = { timestamp, method, path, query, body };
  const { signature, nonce } = form;
  const secret = form.secret.trim();
  const verdict = await searchInBrowser({ request, secret, signature, nonce, host, otherSecrets: [], apiKey: form.apiKey.trim() });
  const whole = messageOf(rightDraft(request, ""));
  const shown = utf8Text(body);
  return {
    verdict,
    components: { timestamp, method, path, query, body: shown },
    lengths: {
      timestamp: timestamp.length,
      method: method.length,
      path: path.length,
      query: query.length,
      body: body.length,
      signingString: whole.length,
    },
    bodySha256: hexText(await sha256(body)),
    signingStringSha256: hexText(await sha256(whole)),
    bodyIsUtf8: hexText(utf8Bytes(shown)) === hexText(body),
  };
}

function encodeWide(text: string): string {
  return text.replace(/[^\x00-\xff]+/g, (wide) => encodeURIComponent(wide.toWellFormed()));
}

type LineProps = { label: string; value: string; onValue: (value: string) => void; hint?: string } & Pick<
  ComponentProps<"input">,
  "type" | "inputMode"
>;

function Line({ label, value, onValue, hint, ...rest }: LineProps) {
  const id = useId();
  return (
    <div className="sig-field">
      <label className="sig-label" htmlFor={id}>
        {label}
      </label>
      <input
        type="text"
        {...rest}
        id={id}
        className="sig-input"
        value={value}
        onChange={({ target }) => onValue(target.value)}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-describedby={hint ? `${id}-note` : undefined}
      />
      {hint && (
        <p className="sig-note" id={`${id}-note`}>
          {hint}
        </p>
      )}
    </div>
  );
}

type BodyProps = {
  body: string;
  file: { name: string; bytes: Bytes } | null;
  onBody: (body: string) => void;
  onFile: (file: { name: string; bytes: Bytes } | null) => void;
};

/** As text, or from a file where line ends and bytes matter. */
function BodyField({ body, file, onBody, onFile }: BodyProps) {
  const id = useId();
  const read = async (chosen: File | undefined) =>
    onFile(chosen === undefined ? null : { name: chosen.name, bytes: new Uint8Array(await chosen.arrayBuffer()) });
  return (
    <div className="sig-field">
      <label className="sig-label" htmlFor={id}>
        Body
      </label>
      <textarea
        id={id}
        className="sig-input"
        rows={5}
        value={file === null ? body : `(${file.bytes.length} bytes of ${file.name})`}
        readOnly={file !== null}
        onChange={({ target }) => onBody(target.value)}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-note`}
      />
      <p className="sig-note" id={`${id}-note`}>
        Exactly the bytes that you sent. A text field turns every line break into a plain newline: use a file if yours are different.
      </p>
      <label className="sig-file">
        Body from a file <input type="file" onChange={({ target }) => void read(target.files?.[0])} />
      </label>
    </div>
  );
}
