import { translated } from "../../_words/translation.ts";
import { RESEND_DIALOG } from "./resend-words.ts";

/** French. */
export const CALLBACKS_RESEND_WORDS_FR = translated(
  { RESEND_DIALOG },
  {
    RESEND_DIALOG: {
      means: "Chacun recommence ses six tentatives, avec le même identifiant et le même corps.",
      receiversDeduplicate:
        "Les récepteurs doivent écarter les doublons d’après l’identifiant du callback ({code}). Un callback reçu mais sans accusé de réception arrive à nouveau.",
      webhookId: "webhook-id",
      resendCallbacks: "Renvoyer des callbacks",
      resendAll: (count) => `Tout renvoyer (${count})`,
      resent: (queued, count, left) => `${queued} à renvoyer${count > 0 ? ` ; récepteurs ignorés : ${left}` : ""}.`,
      noneUndelivered: "Aucun de ces callbacks n’est actuellement non remis.",
      to: (count) => `${count} vers {origin}`,
      callbacks: (count) => `${count} callbacks`,
    },
  },
);
