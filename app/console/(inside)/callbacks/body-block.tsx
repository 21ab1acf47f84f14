import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { CodeScroll } from "../../_components/controls/code-block.tsx";
import { CopyButton } from "../../_components/controls/copy-button.tsx";
import { indentJson } from "../../_format/json.ts";
import { useTranslations } from "../../_words/words.ts";
import { BODY_BLOCK } from "./words.ts";

type BodyBlockProps = {
  label: string;
  text: string;
  /** Bytes in all. */
  bytes: number | null;
  /** Only the beginning is shown. */
  isCut?: boolean;
};

/** A body as received, or formatted if it is JSON. Copying always yields the exact text. */
export function BodyBlock({ label, text, bytes, isCut = false }: BodyBlockProps) {
  const t = useTranslations(BODY_BLOCK);
  const [raw, setRaw] = useState(false);
  const pretty = indentJson(text);
  const isJson = pretty !== text;
  return (
    <div className="code-block">
      <div className="code-bar">
        <span>
          {label}
          {bytes !== null && <span className="code-size"> {t.bytes(t.format.count(bytes))}</span>}
          {isCut && <span className="code-size">{t.truncated}</span>}
        </span>
        <span className="code-tools">
          {isJson && (
            <Button look="quiet" aria-pressed={raw} onClick={() => setRaw(!raw)}>
              {t.raw}
            </Button>
          )}
          <CopyButton text={text} label={t.copy(label.toLowerCase())} />
        </span>
      </div>
      {text === "" ? <p className="code-none muted">{t.empty}</p> : <CodeScroll text={raw ? text : pretty} label={label} />}
    </div>
  );
}
