"use client";

import { type ReactNode, useId, useState } from "react";
import type { Trial } from "../_content/trials.ts";
import { Code } from "../_parts/blocks.tsx";
import { faultOf, type HeaderNames, type QueryBoundary, send } from "../_parts/try-it-request.ts";

type Props = { trials: readonly Trial[]; headers: HeaderNames };
type Outcome = { answered: QueryBoundary } | { fault: string };

const NOT_SENT = "The request could not be sent. The service does not answer, or this browser can sign only on https and localhost.";

/** Signs a request with the keys entered, sends it to this service, and shows request and answer. */
export function TryIt({ trials, headers }: Props) {
  const [chosen, setChosen] = useState(trials[0]);
  const [keys, setKeys] = useState({ apiKey: "", apiSecret: "" });
  const [target, setTarget] = useState(chosen?.path ?? "");
  const [body, setBody] = useState(chosen?.body ?? "");
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isSending, setIsSending] = useState(false);
  if (chosen === undefined) return null;
  const choose = (trial: Trial | undefined) => {
    if (trial === undefined) return;
    setChosen(trial);
    setTarget(trial.path);
    setBody(trial.body);
    setOutcome(null);
  };
  const submit = async () => {
    const draft = { method: chosen.method, signed: chosen.signed, target, body, ...keys };
    const fault = faultOf(draft);
    if (fault !== null) return setOutcome({ fault });
    setIsSending(true);
    const answered = await send(draft, headers).catch(() => null);
    setIsSending(false);
    setOutcome(answered === null ? { fault: NOT_SENT } : { answered });
  };
  return (
    <form
      className="sig-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Labelled label="API key">
        {(id) => <KeyField id={id} value={keys.apiKey} onChange={(apiKey) => setKeys({ ...keys, apiKey })} />}
      </Labelled>
      <Labelled label="API secret">
        {(id) => <KeyField id={id} isSecret value={keys.apiSecret} onChange={(apiSecret) => setKeys({ ...keys, apiSecret })} />}
      </Labelled>
      <Labelled label="Operation">
        {(id) => (
          <select
            id={id}
            className="sig-input"
            value={trials.indexOf(chosen)}
            onChange={({ target: { value } }) => choose(trials[Number(value)])}
          >
            {trials.map(({ name, method }, index) => (
              <option key={name} value={index}>{`${name} (${method})`}</option>
            ))}
          </select>
        )}
      </Labelled>
      <Labelled label={`Path and query, sent with ${chosen.method}`}>
        {(id) => <KeyField id={id} value={target} onChange={setTarget} />}
      </Labelled>
      {chosen.method === "GET" ? null : (
        <Labelled label="Body">
          {(id) => (
            <textarea
              id={id}
              className="sig-input"
              rows={10}
              value={body}
              spellCheck={false}
              onChange={(event) => setBody(event.target.value)}
            />
          )}
        </Labelled>
      )}
      <p>
        <button type="submit" className="sig-button" disabled={isSending}>
          {chosen.signed ? "Sign and send" : "Send"}
        </button>
      </p>
      <div role="status">{outcome === null ? null : <Trans outcome={outcome} />}</div>
    </form>
  );
}

function Trans({ outcome }: { outcome: Outcome }) {
  if ("fault" in outcome) return <p className="sig-note">{outcome.fault}</p>;
  const { sent, status, headers, body } = outcome.answered;
  return (
    <>
      <h3>Answered: {status}</h3>
      <Code label="Body of the answer" text={body} />
      <Code label="Headers of the answer" text={headers} />
      <Code label="What was sent" text={sent} />
    </>
  );
}

function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="sig-field">
      <label className="sig-label" htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}

function KeyField({
  id,
  value,
  isSecret = false,
  onChange,
}: {
  id: string;
  value: string;
  isSecret?: boolean;
  onChange: (value: string) => void;
}) {
  return (
    <input
      id={id}
      className="sig-input"
      type={isSecret ? "password" : "text"}
      value={value}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
