"use client";

import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ChangeEvent, useState } from "react";
import { csvLine } from "#domain/csv.ts";
import { PAYMENT_COLUMNS, type PaymentRow, readPaymentFile } from "#domain/payment-file.ts";
import { Button, LinkButton } from "../../../_components/controls/button.tsx";
import { Select, TextField } from "../../../_components/controls/field.tsx";
import { useAnswer } from "../../../_components/dialogs/use-answer.ts";
import { Refused, useConfirmedMutation } from "../../../_components/dialogs/use-confirmed-mutation.tsx";
import { Note, PageHeader } from "../../../_components/frame/page-parts.tsx";
import { Empty, QueryBoundary } from "../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { BatchTotals } from "../batch-signs.tsx";
import { FaultTable } from "./fault-table.tsx";
import { type Progress, usePaymentFile } from "./use-payment-file.ts";
import { UPLOAD } from "./words.ts";

/** A file becomes payments: read here, checked by the service, corrected in place, and created batch by batch. */
export function Upload() {
  const t = useTranslations(UPLOAD);
  const trpc = useTRPC();
  const keys = useAnswer(useQuery(trpc.batches.keys.queryOptions()));
  return (
    <>
      <PageHeader title={t.title} within={{ href: "/console/batches", label: t.batches }} actions={<Template />} />
      <p className="muted">{t.explained}</p>
      <QueryBoundary of={keys}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={t.noKey}>
              <LinkButton href="/console/developers/keys">{t.toKeys}</LinkButton>
            </Empty>
          ) : (
            <Payments keys={data} />
          )
        }
      </QueryBoundary>
    </>
  );
}

type Keys = { id: string; name: string; last_four: string }[];

function Payments({ keys }: { keys: Keys }) {
  const t = useTranslations(UPLOAD);
  const router = useRouter();
  const payments = usePaymentFile();
  const { file, verdict, progress } = payments;
  const { run, error, forgive } = useConfirmedMutation(t.notCreated);
  const [keyId, setKeyId] = useState(keys[0]?.id ?? "");
  const [fault, setFault] = useState<string | null>(null);
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = target.files ?? [];
    if (chosen === undefined) return;
    forgive();
    try {
      payments.begin({ name: nameOf(chosen.name), rows: readPaymentFile(await chosen.text()) });
      setFault(null);
    } catch (refused) {
      payments.begin(null);
      setFault(refused instanceof Error ? refused.message : String(refused));
    }
  };
  const chooseKey = (id: string) => {
    setKeyId(id);
    payments.forget();
  };
  const create = () =>
    run(
      () => payments.create(keyId),
      (ids) => ids && router.push(`/console/batches/${ids.join(",")}`),
    );
  const check = () =>
    run(
      () => payments.judge(keyId),
      () => {},
    );
  const isReady = verdict !== null && verdict.faults.length === 0;
  return (
    <form
      className="form upload"
      onSubmit={(event) => {
        event.preventDefault();
        if (progress === null && file !== null) void (isReady ? create() : check());
      }}
    >
      <TextField
        label={t.choose}
        type="file"
        accept=".csv,text/csv,text/plain"
        hint={t.chooseHint}
        error={fault ?? undefined}
        disabled={progress !== null}
        onChange={(event) => void choose(event)}
      />
      {file !== null && (
        <TextField
          label={t.name}
          hint={t.nameHint}
          maxLength={110}
          disabled={progress !== null}
          value={file.name}
          onChange={({ target }) => payments.rename(target.value)}
        />
      )}
      {file !== null && <KeyChoice keys={keys} value={keyId} onChange={chooseKey} disabled={progress !== null} />}
      {progress === null && verdict !== null && file !== null && <Verdict payments={payments} />}
      <Bar progress={progress} />
      {error !== null && <Refused error={error} />}
      {file !== null && (
        <div className="upload-foot">
          <Button type="submit" look="primary" pending={progress !== null} disabled={file.name.trim() === ""}>
            {isReady ? t.create(file.rows.length) : verdict === null ? t.check : t.checkAgain}
          </Button>
          <span className="muted">{isReady ? t.confirmLater : t.rows(file.rows.length)}</span>
        </div>
      )}
    </form>
  );
}

function Verdict({ payments: { file, verdict, edit } }: { payments: ReturnType<typeof usePaymentFile> }) {
  const t = useTranslations(UPLOAD);
  if (file === null || verdict === null) return null;
  const { faults, totals, made } = verdict;
  if (faults.length > 0) {
    return (
      <>
        <Note kind="warning">
          {t.faulty(faults.length)}. {made === 0 ? t.nothingStored : t.someStored(made)}
        </Note>
        <FaultTable rows={file.rows} faults={faults} onEdit={edit} />
      </>
    );
  }
  return (
    <section className="upload-sum" aria-label={t.ready}>
      <p className="dialog-summary">
        {t.rows(file.rows.length)} <BatchTotals of={totals} />
      </p>
      {made > 0 && <Note>{t.someStored(made)}</Note>}
      <p className="muted">{t.estimate}</p>
    </section>
  );
}

type KeyChoiceProps = { keys: Keys; value: string; onChange: (id: string) => void; disabled: boolean };

function KeyChoice({ keys, value, onChange, disabled }: KeyChoiceProps) {
  const t = useTranslations(UPLOAD);
  const choices = keys.map(({ id, name, last_four }) => ({ value: id, label: `${name} …${last_four}`, origin: "data" as const }));
  return (
    <Select
      label={t.payUnder}
      hint={t.payUnderHint}
      disabled={disabled}
      choices={choices}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function Bar({ progress }: { progress: Progress }) {
  const t = useTranslations(UPLOAD);
  if (progress === null) return null;
  const { what, done, of } = progress;
  return (
    <section className="job" aria-label={t.progress}>
      <progress className="job-bar" max={of} value={done} aria-label={t.progress} />
      <p className="job-line" role="status">
        {t[what](done, of)}
      </p>
      {what === "creating" && <Note>{t.keepOpen}</Note>}
    </section>
  );
}

/** The file's name without its ending, as it was saved. */
function nameOf(file: string): string {
  return file.replace(/\.[^.]*$/, "").slice(0, 110) || file;
}

const EXAMPLE: PaymentRow = {
  external_tx_id: "salary-2026-11-001",
  external_merchant_id: "employee-17",
  amount: "1250.50",
  source_currency: "KES",
  destination_currency: "USDT",
  chain: "eip155:1",
  wallet_address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
};

/** The head and a row of an example, with the first chain and currencies that are served here. */
function Template() {
  const t = useTranslations(UPLOAD);
  const { data } = useQuery(useTRPC().settlements.choices.queryOptions(undefined, { staleTime: 300_000 }));
  const served = {
    source_currency: data?.source_currencies[0] ?? EXAMPLE.source_currency,
    destination_currency: data?.destination_currencies[0] ?? EXAMPLE.destination_currency,
    chain: data?.chains[0]?.chain ?? EXAMPLE.chain,
  };
  const text = csvLine(PAYMENT_COLUMNS) + csvLine(PAYMENT_COLUMNS.map((column) => ({ ...EXAMPLE, ...served })[column]));
  return (
    <a className="button" href={`data:text/csv;charset=utf-8,${encodeURIComponent(text)}`} download="payments.csv">
      <Download aria-hidden size={16} />
      <span className="button-label">{t.template}</span>
    </a>
  );
}
