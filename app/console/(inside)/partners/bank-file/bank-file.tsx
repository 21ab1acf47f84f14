"use client";

import { type ChangeEvent, useState } from "react";
import { BANK_COLUMNS } from "#domain/bank-file.ts";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../_components/controls/button.tsx";
import { TextField } from "../../../_components/controls/field.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { ConfirmDialog } from "../../../_components/dialogs/confirm-dialog.tsx";
import { Refused, useConfirmedMutation } from "../../../_components/dialogs/use-confirmed-mutation.tsx";
import { Note, PageHeader } from "../../../_components/frame/page-parts.tsx";
import { Sums } from "../../../_components/lists/sums.tsx";
import { type Column, Table } from "../../../_components/lists/table.tsx";
import { useTRPCClient } from "../../../_trpc/client.tsx";
import { Served, Trans, useTranslations, type WithShared } from "../../../_words/words.ts";
import { BANK_FILE } from "./words.ts";

type Judged = Answers["bookings"]["judgeFile"];
type Fault = Judged["faults"][number];

/** A bank's file of payments: the service names every fault, and books all of it or nothing. */
export function BankFile() {
  const t = useTranslations(BANK_FILE);
  const client = useTRPCClient();
  const toast = useToast();
  const { run, error, pending, forgive } = useConfirmedMutation();
  const [file, setFile] = useState<{ text: string; judged: Judged } | null>(null);
  const [isAsked, setAsked] = useState(false);
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = target.files ?? [];
    setFile(null);
    forgive();
    if (chosen === undefined) return;
    const text = await chosen.text();
    await run(
      () => client.bookings.judgeFile.mutate({ text }),
      (judged) => setFile({ text, judged }),
    );
  };
  return (
    <>
      <PageHeader title={t.title} within={{ href: "/console/partners", label: t.partners }} />
      <div className="form">
        <p className="muted">{t.explained}</p>
        <p className="muted">
          <Trans sentence={t.columns} columns={<code translate="no">{BANK_COLUMNS.join(", ")}</code>} />
        </p>
        <TextField
          label={t.choose}
          type="file"
          accept=".csv,text/csv,text/plain"
          disabled={pending}
          onChange={(event) => void choose(event)}
        />
      </div>
      {error !== null && <Refused error={error} />}
      {file !== null && <Verdict judged={file.judged} onBook={() => setAsked(true)} />}
      {isAsked && file !== null && (
        <ConfirmDialog
          title={t.bookTitle}
          description={t.bookMeans}
          reason
          button={t.bookIt}
          mutation={(reason) => client.bookings.bookFile.mutate({ text: file.text, reason })}
          onDone={({ proposed, booked }) => {
            toast(proposed ? t.proposed : t.booked(booked));
            setFile(null);
          }}
          onClose={() => setAsked(false)}
        >
          <Sums of={file.judged.sums} />
        </ConfirmDialog>
      )}
    </>
  );
}

function Verdict({ judged: { faults, fresh, known, sums }, onBook }: { judged: Judged; onBook: () => void }) {
  const t = useTranslations(BANK_FILE);
  if (faults.length > 0)
    return (
      <>
        <Note>{t.faults(faults.length)}</Note>
        <Table caption={t.caption} columns={columnsOf(t)} rows={faults} keyOf={({ row, column }) => `${row} ${column}`} />
      </>
    );
  return (
    <>
      <p>
        {fresh === 0 ? t.nothingNew : t.fresh(fresh, known)} {fresh > 0 && <Sums of={sums} />}
      </p>
      {fresh > 0 && (
        <Button look="primary" onClick={onBook}>
          {t.book(fresh)}
        </Button>
      )}
    </>
  );
}

function columnsOf(t: WithShared<typeof BANK_FILE>): Column<Fault>[] {
  return [
    { id: "row", header: t.row, align: "end", card: 1.1, cell: ({ row }) => String(row + 1) },
    { id: "column", header: t.column, card: 1.2, cell: ({ column }) => column && <code translate="no">{column}</code> },
    { id: "fault", header: t.fault, card: 2, cell: ({ message }) => <Served>{message}</Served> },
  ];
}
