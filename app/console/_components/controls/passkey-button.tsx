import { KeyRound } from "lucide-react";
import { useTranslations } from "../../_words/words.ts";
import { Button } from "./button.tsx";
import { PASSKEY_BUTTON } from "./words.ts";

type PasskeyButtonProps = { pending: boolean; onPress: () => void; isMain?: boolean; label?: string };

/** "Use a passkey", or another label: the browser takes over. */
export function PasskeyButton({ pending, onPress, isMain = false, label }: PasskeyButtonProps) {
  const t = useTranslations(PASSKEY_BUTTON);
  return (
    <Button icon={KeyRound} pending={pending} onClick={onPress} {...(isMain && { look: "primary" as const })}>
      {label ?? t.usePasskey}
    </Button>
  );
}
