import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { FACTS, PAGE } from "./words.ts";

const limit = (perSecond: number) => (perSecond === 0 ? "sans limite" : String(perSecond));

/** French. */
export const SETTINGS_WORDS_FR = translated(
  { PAGE, FACTS },
  {
    PAGE: {
      title: "Paramètres",
      lead: "Fixés dans la configuration de l’installation. Vous ne pouvez pas les modifier ici",
    },
    FACTS: {
      organisation: {
        title: "Organisation",
        mode: "Mode",
        sandbox: "Bac à sable : tout est simulé",
        live: "Production : argent réel",
        address: "Adresse",
        brand: "Marque",
        headers: "En-têtes de signature",
      },
      quotes: {
        title: "Cotations et approbations",
        lifetime: "Durée d’une cotation",
        eachPair: "Fixée pour chaque paire",
        drift: "Tolérance de dérive",
        driftOf: (points) => `${points} bps entre ce qu’un approbateur a vu et l’approbation`,
        source: "Source des taux",
        fixed: "Fixe",
        tickers: "Cours et une référence fiat",
        oldest: "Taux le plus ancien utilisé",
      },
      callbacks: {
        title: "Callbacks",
        attempts: "Tentatives",
        schedule: (delays) => {
          const waits = delays.slice(1).map((seconds) => (seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`));
          return `${delays.length} : immédiatement, puis après ${waits.join(", ")}`;
        },
        deadline: "Délai maximal d’une tentative",
        privateHosts: "Hôtes privés autorisés",
      },
      access: {
        title: "Accès",
        factors: "Deux facteurs",
        required: "Exigés des administrateurs, des approbateurs et des propriétaires des partenaires",
        leftToEach: "Au choix de chaque personne",
        session: "Une session se termine",
        sessionAfter: (hours, idle) => `après ${hours} ${plural(hours, "heure", "heures")}, ou ${idle} sans utilisation`,
        requests: "Requêtes par seconde et par clé",
        requestsOf: (writes, reads) => `${limit(writes)} en écriture, ${limit(reads)} en lecture`,
        proxies: "Proxys de confiance",
      },
      retention: {
        title: "Conservation",
        log: "Journal de l’API",
        bodies: "Corps des requêtes refusées",
        attempts: "Tentatives des callbacks",
        repetitions: "Messages répétés du prestataire",
        quotes: "Cotations expirées",
        archive: "Puis dans l’archive",
        rest: "Journal d’audit, grand livre et argent",
        ever: "Sans limite de durée",
      },
      seconds: (seconds) => `${seconds} s`,
      days: (count) => `${count} ${plural(count, "jour", "jours")}`,
    },
  },
);
