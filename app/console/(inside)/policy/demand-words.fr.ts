import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { DEMAND, HINTS, RULE } from "./demand-words.ts";

/** French. */
export const POLICY_DEMAND_WORDS_FR = translated(
  { RULE, HINTS, DEMAND },
  {
    RULE: {
      any: "Chaque règlement",
      all: "Les règlements",
      pair: (from, to) => `de ${from} → ${to}`,
      paidIn: (currency) => `à partir de ${currency}`,
      paidOut: (token) => `vers ${token}`,
      onChain: (chain) => `sur ${chain}`,
      partner: (name) => `du partenaire ${name}`,
      somePartner: "inconnu",
      from: (amount) => `de ${amount} ou plus`,
      below: (amount) => `de moins de ${amount}`,
      between: (from, below) => `de ${from} ou plus, et de moins de ${below},`,
      received: "reçus par le portefeuille",
      where: (hints) => `(si ${hints})`,
      orSeparator: ", ou si ",
      waits: (who) => `attend ${who}`,
      wait: (who) => `attendent ${who}`,
      deciders: (count) => plural(count, "une personne qui décide", `${count} personnes différentes qui décident`),
      admins: (count) => plural(count, "un administrateur", `${count} administrateurs différents`),
      people: (count, names) => (count === names.length ? names.join(" et ") : `${count} personnes parmi ${names.join(", ")}`),
      formerPerson: "une personne partie",
      tooFew: (able, needed) =>
        `Aujourd’hui, ${able} seulement des ${needed} personnes requises ${plural(able, "peut", "peuvent")} approuver.`,
    },
    HINTS: {
      first_wallet_use: "rien n’a encore été payé au portefeuille pour ce partenaire",
      wallet_changed: "le portefeuille du marchand a changé il y a moins d’un jour",
      first_of_merchant: "c’est le premier du marchand",
      repeated: "le même règlement est arrivé dans les dix minutes précédentes, mais pas au même instant",
      new_key: "la clé d’API a moins d’un jour",
      screened_before: "un filtrage a déjà retenu un paiement vers le portefeuille",
    },
    DEMAND: {
      title: "Pourquoi une approbation est requise",
      rule: (name, version) => `Règle ${name} de la version ${version}`,
      foundAtQuote: "Constaté à la cotation",
      someoneElse: "La politique d’approbation exige l’approbation d’une autre personne. Vous pouvez toujours rejeter.",
    },
  },
);
