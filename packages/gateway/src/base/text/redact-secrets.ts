// Secrets in a text, which are taken out in the sdk: other processes of ours need that, too.
export { redactSecrets } from "@chela/sdk/base";
