import { KeyRound } from "lucide-react";
import { Button } from "./button.tsx";

/** "Use a passkey": what follows is the browser's. */
export function PasskeyButton({ pending, onPress, isMain = false }: { pending: boolean; onPress: () => void; isMain?: boolean }) {
  return (
    <Button icon={KeyRound} pending={pending} onClick={onPress} {...(isMain && { look: "primary" as const })}>
      Use a passkey
    </Button>
  );
}
