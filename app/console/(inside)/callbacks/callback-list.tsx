import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Button, LinkButton } from "../../_components/controls/button.tsx";
import { Badge, Id, Time } from "../../_components/controls/values.tsx";
import type { Narrowing } from "../../_components/lists/filters.ts";
import { Empty } from "../../_components/lists/list-states.tsx";
import { type Column, None, partnerColumn, Short } from "../../_components/lists/table.tsx";
import { useSelection } from "../../_components/lists/use-selection.tsx";
import { WalkedList } from "../../_components/lists/walked-list.tsx";
import { WalkedRows } from "../../_components/lists/walked-rows.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import type { CallbackRow } from "./answers.ts";
import { AttemptDots } from "./attempt-rail.tsx";
import { Due } from "./due.tsx";
import { CALLBACK_COLUMNS, CALLBACK_LIST } from "./list-words.ts";
import { Paused } from "./paused.tsx";
import { counted, type Selection } from "./resend-dialog.tsx";
import { RESEND_DIALOG } from "./resend-words.ts";
import { type CallbackParams, pageOf } from "./search-params.ts";
import { signOf, subjectPage } from "./signs.ts";
import { CALLBACK_WORDS, EVENT_WORDS } from "./state-words.ts";

type Props = {
  of: Narrowing<CallbackParams>;
  isOperator: boolean;
  /** How many have failed and are still retried, and whether any was ever sent; null: not known yet. */
  counts: { retrying: number; any: boolean } | null;
  onResend: ((selection: Selection) => void) | null;
};

/** Polls often while an attempt may follow, otherwise rarely. */
const MOVING_MS = 2_000;
const LOOK_MS = 10_000;

/** A list of callbacks, newest first. */
export function CallbackList({ of, isOperator, counts, onResend }: Props) {
  const t = useTranslations(CALLBACK_LIST);
  const trpc = useTRPC();
  const page = pageOf(of.params);
  const query = useQuery({
    ...trpc.callbacks.list.queryOptions(page, { placeholderData: keepPreviousData }),
    refetchInterval: ({ state }) => (state.data?.data.some(({ state: each }) => each === "pending") ? MOVING_MS : LOOK_MS),
  });
  return (
    <WalkedList
      of={of}
      query={query}
      subject={trpc.callbacks.pathKey()}
      limit={page.limit}
      nothing={(held) => t.noMatch(held)}
      empty={<NothingListed tab={of.params.tab} counts={counts} />}
    >
      {(rows, footer) => <Rows tab={of.params.tab} rows={rows} isOperator={isOperator} onResend={onResend} footer={footer} />}
    </WalkedList>
  );
}

function NothingListed({ tab, counts }: { tab: CallbackParams["tab"]; counts: Props["counts"] }) {
  const [t, words] = [useTranslations(CALLBACK_LIST), useTranslations(RESEND_DIALOG)];
  if (tab === "all" || counts?.any === false)
    return (
      <Empty title={tab === "all" ? t.nothing.all : t.noneSent} more={t.noneMore}>
        <LinkButton href="/docs/callbacks">{t.readHow}</LinkButton>
      </Empty>
    );
  return (
    <Empty title={t.nothing[tab]}>
      {counts !== null && (
        <p>{counts.retrying === 0 ? t.allDelivered : t.stillRetried(counted(counts.retrying, words), counts.retrying)}</p>
      )}
    </Empty>
  );
}

type RowsProps = Pick<Props, "isOperator" | "onResend"> & { tab: CallbackParams["tab"]; rows: readonly Row[]; footer: ReactNode };

/** Those that were given up can be selected, to be resent. */
function Rows({ tab, rows, isOperator, onResend, footer }: RowsProps) {
  const t = useTranslations(CALLBACK_LIST);
  const words = useTranslations(WORDS);
  const columns = callbackColumns(isOperator, tab, words);
  const mayResend = ({ state }: Row) => state === "undelivered";
  const selection = useSelection(rows, ({ id }) => id, mayResend);
  const selected = rows.map(({ id }) => id).filter(selection.has);
  return (
    <>
      {onResend && selected.length > 0 && (
        <div className="picked" role="status">
          <span>{t.selected(selected.length)}</span>
          <Button icon={RotateCw} onClick={() => onResend({ callback_ids: selected })}>
            {t.resend}
          </Button>
          <Button look="quiet" onClick={selection.clear}>
            {t.clear}
          </Button>
        </div>
      )}
      <WalkedRows
        caption={t.caption}
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
        open={({ id }) => `/console/callbacks/${id}`}
        commandOf={(row) =>
          onResend && mayResend(row) ? { label: t.resend, about: row.subject_id, run: () => onResend({ callback_ids: [row.id] }) } : null
        }
        selection={onResend && rows.some(mayResend) ? selection : null}
        footer={footer}
      />
    </>
  );
}

const WORDS = { ...CALLBACK_COLUMNS, ...CALLBACK_WORDS, events: EVENT_WORDS };
type Translations = WithShared<typeof WORDS>;

type Row = CallbackRow;

/** Where all rows have the same state, the tab's name says it. */
function callbackColumns(isOperator: boolean, tab: CallbackParams["tab"], t: Translations): Column<Row>[] {
  const then = tab === "undelivered" ? t.gaveUp : tab === "retrying" ? t.next : t.nextOrEnded;
  return [
    { id: "state", header: t.state, cell: (row) => <Badge {...signOf(row, t)} />, card: 1.1, spare: tab === "undelivered" },
    {
      id: "id",
      header: t.callback,
      card: 3.1,
      cell: ({ id }) => <Id value={id} what={t.callbackNoun} href={`/console/callbacks/${id}`} copy={false} />,
    },
    { id: "event", header: t.event, cell: ({ event }) => t.events[event] ?? event, card: 2.1 },
    {
      id: "subject",
      header: t.about,
      cell: ({ subject_id }) => <Id value={subject_id} what={t.id} href={subjectPage(subject_id)} />,
    },
    ...partnerColumn<Row>(isOperator, 3.3, t),
    {
      id: "receiver",
      header: t.receiver,
      card: 3.2,
      cell: ({ callback_url }) => <Short text={hostOf(callback_url)} title={callback_url} />,
    },
    { id: "attempts", header: t.attempts, cell: ({ marks }) => <AttemptDots marks={marks} />, card: 2.2 },
    { id: "then", header: then, cell: (row) => <Then row={row} /> },
    { id: "created", header: t.created, cell: ({ created_at }) => <Time at={created_at} />, card: 1.2 },
  ];
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

function Then({ row }: { row: Row }) {
  const { next_attempt_at, delivered_at, undelivered_at, callback_url, partner } = row;
  if (next_attempt_at !== null)
    return (
      <span className="who">
        <span>
          <Due at={next_attempt_at} />
        </span>
        <Paused url={callback_url} partnerId={partner.id} />
      </span>
    );
  const at = delivered_at ?? undelivered_at;
  return at === null ? <None /> : <Time at={at} />;
}
