import { Id, KeyValues, Time } from "#app/console/_components/controls/values.tsx";
import { Dialog } from "#app/console/_components/dialogs/dialog.tsx";
import { Note, Scroll } from "#app/console/_components/frame/page-parts.tsx";
import { auditActorName } from "#domain/audit-sentence.ts";
import { Data, useTranslations } from "../../_words/words.ts";
import { type Entry, Sentence } from "./audit-sentence.tsx";
import { None } from "./table.tsx";
import { AUDIT_ENTRIES } from "./words.ts";

/** The exact content of an audit entry, in a drawer. */
export function AuditEntry({ open, entry, onClose }: { open: boolean; entry: Entry | null; onClose: () => void }) {
  const t = useTranslations(AUDIT_ENTRIES);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t.recorded} shape="drawer">
      {entry && <Recorded entry={entry} />}
    </Dialog>
  );
}

function Recorded({ entry }: { entry: Entry }) {
  const t = useTranslations(AUDIT_ENTRIES);
  const { differences, request_id, seq, partner } = entry;
  return (
    <>
      <p>
        <strong lang="en">{auditActorName(entry.actor)}</strong> <Sentence entry={entry} />
      </p>
      {entry.reason && (
        <Note>
          “<Data>{entry.reason}</Data>”
        </Note>
      )}
      <KeyValues
        items={[
          { key: t.time, value: <Time at={entry.at} form="absolute" /> },
          { key: t.action, value: <code>{entry.action}</code> },
          { key: t.object, value: <Id value={entry.object.id} what={t.objectId} full /> },
          partner && { key: t.partner, value: <Data>{partner.name}</Data> },
          request_id !== null && { key: t.request, value: <Id value={request_id} what={t.requestIdNoun} full /> },
          { key: t.entry, value: <Id value={entry.id} what={t.entryIdNoun} full /> },
          { key: t.seal, value: seq === null ? t.awaitingSeal : `#${t.format.count(seq)}` },
        ]}
      />
      {differences.length > 0 && (
        <Scroll label={t.changes}>
          <table className="compare">
            <thead>
              <tr>
                <th scope="col">{t.field}</th>
                <th scope="col">{t.before}</th>
                <th scope="col">{t.after}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ field, before, after }) => (
                <tr key={field}>
                  <th scope="row" lang="en">
                    {field.replaceAll("_", " ")}
                  </th>
                  <td className="diff-value" translate="no">
                    {before ?? <None />}
                  </td>
                  <td className="diff-value" translate="no">
                    {after ?? <None />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}
