import { useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { Select, TextArea, TextField } from "#app/console/_components/controls/field.tsx";
import { Link } from "#app/console/_components/controls/link.tsx";
import { Note } from "#app/console/_components/frame/page-parts.tsx";
import { indentJson } from "../../_format/json.ts";
import { Trans, useTranslations } from "../../_words/words.ts";
import { type Answered, signedFetch, type Written } from "./signed-fetch.ts";
import { SEND } from "./words.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

/** A request that the browser signs. Key and secret stay in this form and are gone when it closes. */
export function SendRequest({ brand, txId }: { brand: string; txId: string | null }) {
  const t = useTranslations(SEND);
  const [written, setWritten] = useState<Written>({
    method: "GET",
    target: txId === null ? "/api/v1/pairs" : `/api/v1/settlements/${txId}`,
    body: "",
    keyId: "",
    secret: "",
  });
  const [answer, setAnswer] = useState<Answered | "none" | null>(null);
  const [pending, setPending] = useState(false);
  const change = (part: Partial<Written>) => setWritten((before) => ({ ...before, ...part }));
  const send = async () => {
    setPending(true);
    setAnswer(null);
    try {
      setAnswer(await signedFetch(written, brand, new Date()));
    } catch {
      setAnswer("none");
    } finally {
      setPending(false);
    }
  };
  const isTarget = /^\/(?!\/)\S*$/.test(written.target);
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isTarget) void send();
      }}
    >
      <p className="muted">{t.explained}</p>
      <div className="field-row">
        <Select
          label={t.method}
          choices={METHODS.map((value) => ({ value, label: value, origin: "data" as const }))}
          value={written.method}
          onChange={({ target }) => change({ method: target.value })}
        />
        <TextField
          label={t.target}
          spellCheck={false}
          value={written.target}
          error={isTarget ? undefined : t.targetWanted}
          onChange={({ target }) => change({ target: target.value.trim() })}
        />
      </div>
      {written.method !== "GET" && (
        <TextArea
          label={t.body}
          rows={5}
          spellCheck={false}
          value={written.body}
          onChange={({ target }) => change({ body: target.value })}
        />
      )}
      <div className="field-row">
        <TextField
          label={t.keyId}
          autoComplete="off"
          spellCheck={false}
          value={written.keyId}
          onChange={({ target }) => change({ keyId: target.value.trim() })}
        />
        <TextField
          label={t.secret}
          type="password"
          autoComplete="off"
          value={written.secret}
          onChange={({ target }) => change({ secret: target.value.trim() })}
        />
      </div>
      <div>
        <Button type="submit" look="primary" pending={pending} disabled={written.keyId === "" || written.secret === "" || !isTarget}>
          {t.send}
        </Button>
      </div>
      {answer === "none" && <Note kind="danger">{t.noAnswer}</Note>}
      {answer !== null && answer !== "none" && <Answer answer={answer} />}
    </form>
  );
}

function Answer({ answer: { status, body, requestId, tookMs } }: { answer: Answered }) {
  const t = useTranslations(SEND);
  return (
    <section className="workbench-answer" aria-label={t.answer}>
      <p role="status">
        <Trans sentence={t.answered} status={<strong>{status}</strong>} took={t.format.count(tookMs)} />{" "}
        {requestId !== null && <Link href={`/console/developers/log/${requestId}`}>{t.inLog}</Link>}
      </p>
      <pre className="workbench-body" translate="no">
        {indentJson(body)}
      </pre>
    </section>
  );
}
