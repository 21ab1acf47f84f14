import { KeyRound } from "lucide-react";
import { useTranslations } from "../../_words/words.ts";
import { Button } from "./button.tsx";
import { PASSKEY_BUTTON } from "./words.ts";

/** "Use a passkey": the browser takes over. */
export function PasskeyButton({ pending, onPress, isMain = false }: { pending: boolean; onPress: () => void; isMain?: boolean }) {
  const t = useTranslations(PASSKEY_BUTTON);
  return (
    <Button icon={KeyRound} pending={pending} onClick={onPress} {...(isMain && { look: "primary" as const })}>
      {t.usePasskey}
    </Button>
  );
}
