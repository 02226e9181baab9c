// Switches something on or off, at once. It shows what the gateway says, not what was clicked.
import { html, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";

export interface SwitchParts {
  readonly label: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  set(isOn: boolean): void;
}

export function renderSwitch({ label, isOn, isDisabled = false, set }: SwitchParts): TemplateResult {
  return html`<input
    class="switch"
    type="checkbox"
    role="switch"
    aria-label=${label}
    title=${label}
    .checked=${live(isOn)}
    ?disabled=${isDisabled}
    @change=${(event: Event) => set((event.target as HTMLInputElement).checked)}
  />`;
}
