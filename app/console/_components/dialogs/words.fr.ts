import { translated } from "../../_words/translation.ts";
import { CONFIRM_DIALOG, CONFIRMED_MUTATION } from "./words.ts";

/** French. */
export const DIALOGS_WORDS_FR = translated(
  { CONFIRM_DIALOG, CONFIRMED_MUTATION },
  {
    CONFIRM_DIALOG: {
      reasonHint: "Au moins huit caractères ; pour le journal d’audit",
      typeToConfirm: (typed) => `Saisissez « ${typed} » pour confirmer`,
    },
    CONFIRMED_MUTATION: {
      notDone: "Non effectué",
      sessionEnded: "Non effectué : votre session était terminée",
      inputKept: "Votre saisie est toujours là. Connectez-vous, puis appuyez de nouveau.",
      notSent: "Non envoyé",
      offline: "Ce navigateur est hors ligne. Rien ne sera envoyé automatiquement plus tard. Appuyez de nouveau une fois en ligne.",
      unknownOutcome: "L’envoi est peut-être arrivé, ou non",
      noAnswer: "Aucune réponse. La page se recharge. Vérifiez-la d’abord.",
      checking: "Aucune réponse. Vérification du résultat…",
      notReadable: "Aucune réponse, et le résultat ne peut pas être lu pour le moment.",
      checkAgain: "Vérifier à nouveau",
      checkedAt: "Aucune réponse. Vérifié à {time} : {found}",
    },
  },
);
