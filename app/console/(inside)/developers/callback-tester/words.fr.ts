import { translated } from "../../../_words/translation.ts";
import { CALLBACK_TESTER, PAGE, WAITING } from "./words.ts";

/** French. */
export const CALLBACK_TESTER_WORDS_FR = translated(
  { PAGE, CALLBACK_TESTER, WAITING },
  {
    PAGE: {
      title: "Testeur de callbacks",
      howToReceive: "Comment recevoir",
      checkReceiver: "Contrôler le récepteur",
    },
    CALLBACK_TESTER: {
      lead: "Envoie un exemple de callback, signé avec vos secrets comme un vrai. Le service ne le réessaie pas. Ses identifiants commencent par dix zéros, pour que votre récepteur puisse le reconnaître et ne rien faire.",
      kind: "Type",
      sendTo: "Envoyer à",
      sendSample: "Envoyer l’exemple",
      accepted: "Votre récepteur l’a accepté.",
      wouldRetry: "Après cela, le service réessaierait un vrai callback.",
      callbackId: "Identifiant du callback",
      theCallbackId: "identifiant du callback",
      sent: "Envoyé",
      event: (name, event) => `${name} (${event})`,
      took: (milliseconds) => `${milliseconds} ms`,
    },
    WAITING: {
      label: "Temps utilisé sur les 30 secondes du récepteur",
      elapsed: (seconds, most) => `${seconds} s sur ${most}`,
    },
  },
);
