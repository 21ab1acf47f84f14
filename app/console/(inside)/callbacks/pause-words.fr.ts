import { translated } from "../../_words/translation.ts";
import { RECEIVER_PAUSE } from "./pause-words.ts";

/** French. */
export const CALLBACKS_PAUSE_WORDS_FR = translated(
  { RECEIVER_PAUSE },
  {
    RECEIVER_PAUSE: {
      paused: (by, side) => `En pause${by === side ? "" : by === "operator" ? " par l’opérateur" : " pour un partenaire"} {time}`,
      pausedMeans: "Rien n’est envoyé à ce récepteur avant une reprise sous Récepteurs. Motif :",
      resume: "Reprendre",
      pause: "Mettre en pause",
      pauseReceiver: "Mettre ce récepteur en pause",
      pauseMeans:
        "Les callbacks vers {code} attendent une reprise. Leurs échéances ne changent pas. À la reprise, les callbacks en retard partent aussitôt.",
    },
  },
);
