// `secrets` and `auth`: where credentials are kept and in which order they are tried.
import * as z from "zod";
import {
  block,
  bool,
  choice,
  harmless,
  item,
  key,
  keyed,
  mapOf,
  numberAbove0,
  secretMap,
  section,
  text,
  texts,
} from "@chela/sdk/config";

const MAX_TIMEOUT_MS = 120_000;
const MAX_BYTES = 20_971_520;
const upTo = (max: number) => z.int().positive().max(max).optional();

export const secretsSection = section("Places that secrets are fetched from.", { reload: "live" }, () =>
  block(() => ({
    providers: key(
      mapOf(z.lazy(() => z.union([fromEnvironment(), fromFile(), fromCommand()]))),
      "Where pointers {source, provider, id} lead, by name. Pointers to variables need no entry here.",
    ),
    defaults: block(() => ({
      file: key(text(), "The one that a pointer into a file means when it names none."),
      exec: key(text(), "The one that a pointer to a program means when it names none."),
    })),
  })),
);

const fromEnvironment = () =>
  keyed({
    source: key(z.literal("env"), "Whether it is about variables, a file, or a program."),
    allowlist: key(texts(), "Has no effect here: pointers to variables need no entry."),
  });

const fromFile = () =>
  keyed({
    source: key(z.literal("file"), "Whether it is about variables, a file, or a program."),
    path: key(z.string().min(1), "The file; only its owner may be able to read it."),
    mode: key(choice("singleValue", "json"), "Whether the file is one secret, or JSON with several by their names."),
    timeoutMs: key(upTo(MAX_TIMEOUT_MS), "How long a program may take; has no effect on a file."),
    maxBytes: key(upTo(MAX_BYTES), "How large the file may be."),
  });

const fromCommand = () =>
  keyed({
    source: key(z.literal("exec"), "Whether it is about variables, a file, or a program."),
    command: key(
      z.string().min(1),
      "The program, in /usr/bin, /bin, /usr/local/bin, /opt/homebrew/bin or one of trustedDirs.",
    ),
    args: key(z.array(z.string().max(1024)).optional(), "Its arguments."),
    timeoutMs: key(upTo(MAX_TIMEOUT_MS), "How long a program may take; has no effect on a file."),

    maxOutputBytes: key(upTo(MAX_BYTES), "How much it may print."),
    jsonOnly: key(bool(), "Whether it must answer with JSON; else what it prints is the secret."),
    env: key(secretMap(), "Further environment variables of the program."),
    passEnv: key(texts(), "Names of variables of the gateway that the program gets, too."),
    trustedDirs: key(z.array(z.string().min(1)).optional(), "Further directories the program may be in."),
  });

export const authSection = section(
  "Which credentials are tried in which order, and how long they rest after a failure.",
  { reload: "restart" },
  () =>
    block(() => ({
      profiles: mapOf(
        item(() => ({
          provider: key(text(), "A note: whose credential it is. The credential itself lies in auth-profiles.json."),
          mode: key(choice("api_key", "oauth", "token"), "A note: what kind of credential it is."),
          email: key(text(), "The address shown with the credential."),
        })),
      ),
      order: key(
        mapOf(z.array(z.string())),
        "By provider: which credentials are used, in which order. Only those named are.",
        { guards: false },
      ),
      cooldowns: harmless(
        block(() => ({
          billingBackoffHours: key(
            numberAbove0(),
            "How long a credential rests when it is not paid for; doubled with each time.",
            { preset: 5 },
          ),
          billingBackoffHoursByProvider: key(mapOf(z.number().positive()), "The same for single providers."),
          billingMaxHours: key(numberAbove0(), "The longest of these rests.", { preset: 24 }),
          failureWindowHours: key(numberAbove0(), "After how many quiet hours earlier failures are forgotten.", {
            preset: 24,
          }),
        })),
      ),
    })),
);
