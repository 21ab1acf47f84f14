import { useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { PasskeyButton } from "#app/console/_components/controls/passkey-button.tsx";
import { passkeySentence, signWithKey } from "../../_format/passkeys.ts";
import { PASSKEY_SENTENCES } from "../../_format/words.ts";
import { type DecisionToSign, sendWithNext } from "../../_trpc/signed-decision.ts";
import { isOfRecord, linesOf } from "../../_trpc/signed-record.ts";
import { Data, useTranslations } from "../../_words/words.ts";
import { Dialog } from "./dialog.tsx";
import { SIGN_DIALOG, SIGNED_NAMES } from "./loaded-words.ts";

const NAMES = { names: SIGNED_NAMES };

type SignDialogProps = { asked: DecisionToSign; onSigned: () => void; onClose: () => void };

/** Shows what the passkey signs, line by line, and has it signed. The lines are read from the very text whose hash is the challenge. */
export function SignDialog({ asked, onSigned, onClose }: SignDialogProps) {
  const [t, keys] = [useTranslations(SIGN_DIALOG), useTranslations(PASSKEY_SENTENCES)];
  const { names }: { names: Readonly<Record<string, string>> } = useTranslations(NAMES);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const sign = async () => {
    setTrouble(null);
    setPending(true);
    try {
      if (!(await isOfRecord(asked))) return setTrouble(t.notThisText);
      sendWithNext(asked, await signWithKey(asked.options));
      onSigned();
    } catch (error) {
      setTrouble(passkeySentence(error, keys) ?? t.notSigned);
    } finally {
      setPending(false);
    }
  };
  return (
    <Dialog open onOpenChange={(next) => !next && onClose()} title={t.title} description={t.description} width="wide">
      <dl className="signed-lines">
        {linesOf(asked.record, Object.keys(SIGNED_NAMES)).map(({ path, text }) => (
          <div key={path.join("/")}>
            <dt>{path.map((name) => names[name] ?? name).join(" · ")}</dt>
            <dd>
              <Data>{text}</Data>
            </dd>
          </div>
        ))}
      </dl>
      <div className="dialog-foot">
        {trouble !== null && (
          <p className="field-error" role="alert">
            {trouble}
          </p>
        )}
        <div className="dialog-buttons">
          <Button onClick={onClose}>{t.cancel}</Button>
          <PasskeyButton isMain pending={pending} onPress={() => void sign()} label={t.sign} />
        </div>
      </div>
    </Dialog>
  );
}
