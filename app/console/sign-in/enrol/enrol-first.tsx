"use client";

import { Button } from "../../_components/controls/button.tsx";
import { ConsoleOutside } from "../../_components/frame/outside.tsx";
import { signOut } from "../../_format/sign-in.ts";
import { useTranslations } from "../../_words/words.ts";
import { Enrolment } from "../../(inside)/account/enrolment.tsx";
import { AddPasskey } from "../../(inside)/account/passkeys.tsx";
import { ENROL_FIRST } from "../words.ts";

/** The enrolment without the console around it. Everything is loaded again when it is done. */
export function EnrolFirst() {
  const t = useTranslations(ENROL_FIRST);
  return (
    <ConsoleOutside>
      <Enrolment onDone={() => window.location.assign("/console")} />
      <p>{t.passkey}</p>
      <AddPasskey onDone={() => window.location.assign("/console")} />
      <p className="sign-in-more">
        <Button look="quiet" onClick={() => void signOut()}>
          {t.signOut}
        </Button>
      </p>
    </ConsoleOutside>
  );
}
