"use client";

import { Button } from "../../_components/controls/button.tsx";
import { ConsoleOutside } from "../../_components/frame/outside.tsx";
import { signOut } from "../../_format/sign-in.ts";
import { Enrolment } from "../../(inside)/account/enrolment.tsx";
import { AddPasskey } from "../../(inside)/account/passkeys.tsx";

/** The enrolment by itself, without the console around it. Everything is loaded anew when it is done. */
export function EnrolFirst() {
  return (
    <ConsoleOutside>
      <Enrolment onDone={() => window.location.assign("/console")} />
      <p>Or, in place of an app, use your fingerprint, face, PIN or security key:</p>
      <AddPasskey onDone={() => window.location.assign("/console")} />
      <p className="sign-in-more">
        <Button look="quiet" onClick={() => void signOut()}>
          Sign out
        </Button>
      </p>
    </ConsoleOutside>
  );
}
