import { plural } from "../../../_words/plural.fr.ts";
import { translated } from "../../../_words/translation.ts";
import { PAGE, RECEIVER_CHECK } from "./words.ts";

/** French. */
export const RECEIVER_CHECK_WORDS_FR = translated(
  { PAGE, RECEIVER_CHECK },
  {
    PAGE: {
      title: "Contrôle du récepteur",
      tester: "Testeur de callbacks",
      whatIsChecked: "Ce qui est contrôlé",
    },
    RECEIVER_CHECK: {
      lead: "Envoie des exemples de chaque type : répétés, tardifs et plusieurs à la fois. Puis ce qu’un attaquant pourrait envoyer : des callbacks non signés, modifiés et anciens. Leurs identifiants commencent par dix zéros, et aucun événement réel ne s’y rattache. Rien dans un exemple n’indique à votre récepteur de quel contrôle il relève.",
      check: "Contrôler le récepteur",
      duration: "Une minute au plus",
      allPassed: (count) => plural(count, `${count} contrôle réussi.`, `Les ${count} contrôles ont réussi.`),
      somePassed: (held, count) => `${plural(held, `${held} contrôle réussi`, `${held} contrôles réussis`)} sur ${count}.`,
      failed: "Non réussi",
      notTried: (count) =>
        `${plural(count, `${count} autre n’a pas été essayé`, `${count} autres n’ont pas été essayés`)}, car le récepteur n’a pas répondu ou a mis trop de temps.`,
      passed: "Réussi",
    },
  },
);
