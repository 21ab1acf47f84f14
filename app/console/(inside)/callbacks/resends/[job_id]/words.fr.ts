import { plural } from "../../../../_words/plural.fr.ts";
import { translated } from "../../../../_words/translation.ts";
import { JOB_ITEMS, JOB_PAGE, PAGE, TIME_LEFT } from "./words.ts";

/** French. */
export const RESEND_JOB_WORDS_FR = translated(
  { PAGE, JOB_ITEMS, TIME_LEFT, JOB_PAGE },
  {
    PAGE: { title: (id) => `Renvoi ${id}` },
    JOB_ITEMS: {
      caption: "Callbacks de ce renvoi",
      lastAnswer: "Dernière réponse",
      nextAttempt: "Prochaine tentative",
    },
    TIME_LEFT: {
      fewSeconds: "encore quelques secondes",
      seconds: (given) => `encore ${given * 10} s environ`,
      minutes: (given) => `encore ${given} min environ`,
      hours: (given) => `encore ${given} h environ`,
    },
    JOB_PAGE: {
      title: (total) => `Renvoi de ${total}`,
      resendNoun: "renvoi",
      pageMayBeClosed: "Vous pouvez fermer cette page. Le renvoi continue.",
      started: (by, meant) => `Lancé {time}${by === null ? "" : ` par ${by}`}${meant}.`,
      firstPage: "Première page",
      nextPage: "Page suivante",
      pickedSingly: ", choisis un par un",
      to: (origin) => `, vers ${origin}`,
      failedSince: (since) => `, échoués depuis ${since}`,
      callbacksTried: "Callbacks essayés",
      aborted: " ; interrompu {time}",
      tried: (queued, rate, left) =>
        `{strong}${queued > 0 && rate > 0 ? `, ${rate.toLocaleString("fr")} par seconde` : ""}${left === null ? "" : `, ${left}`}`,
      triedOf: (tried, total) => `${tried} ${plural(Number(tried), "essayé", "essayés")} sur ${total}`,
      failuresAsCsv: "Échecs en CSV",
      abort: (queued) => `Interrompre : laisser ${queued} sans essai`,
    },
  },
);
