// One thing that needs a person: what it is, and the button that settles it.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { runNow } from "../../jobs/job-actions.ts";
import { factsOfJob } from "../../jobs/run-facts.ts";
import { timeWords } from "../../jobs/schedule-words.ts";
import { icon, type IconName } from "../../parts/icon.ts";
import { amountOf, limitName, personName, rightsOf, whenOf } from "../../state/names-of.ts";
import type { Need } from "./needs.ts";

type NeedOf<K extends Need["kind"]> = Extract<Need, { kind: K }>;

interface NeedView {
  readonly icon: IconName;
  readonly tone: "bad" | "warn" | "info";
  readonly title: string;
  readonly details: readonly unknown[];
  readonly actions: TemplateResult;
}

const MOST_ISSUES = 3;

class NeedRow extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    need: { attribute: false },
    isBusy: { state: true },
  };
  declare need: Exclude<Need, { kind: "approval" }>;
  declare isBusy: boolean;

  constructor() {
    super();
    this.isBusy = false;
  }

  override render(): TemplateResult {
    const row = this.#row();
    return html`<article class="overview-need" data-tone=${row.tone}>
      <span class="overview-need-icon">${icon(row.icon)}</span>
      <div class="overview-need-words">
        <h3>${row.title}</h3>
        ${row.details.filter(Boolean).map((detail) => html`<p>${detail}</p>`)}
      </div>
      <div class="overview-need-actions">${row.actions}</div>
    </article>`;
  }

  #row(): NeedView {
    const { need } = this;
    switch (need.kind) {
      case "person":
        return this.#person(need);
      case "device":
        return this.#device(need);
      case "node":
        return this.#node(need);
      case "config":
        return this.#config(need);
      case "channel":
        return this.#channel(need);
      case "names":
        return this.#names(need);
      case "budget":
        return this.#budget(need);
      case "delivery":
        return this.#delivery(need);
      case "more-deliveries":
        return this.#moreDeliveries(need);
      case "job":
        return this.#job(need);
      case "more-jobs":
        return this.#moreJobs(need);
      case "danger":
        return this.#danger(need);
      case "weak":
        return this.#weak(need);
    }
  }

  #person({ person, channel }: NeedOf<"person">): NeedView {
    const words = this.words("overview");
    const since = whenOf(Date.parse(person.createdAt), this.world.words, words);
    return {
      icon: "agents",
      tone: "info",
      title: words.person(personName(person), channel),
      details: [words.personDetail(person.id, person.code, since)],
      actions: html`${this.#renderAct(words.turnAway, () => this.#rejectPerson(person))}
      ${this.#renderAct(words.letIn, () => this.#approvePerson(person), "primary")}`,
    };
  }

  #device({ device }: NeedOf<"device">): NeedView {
    const words = this.words("overview");
    const { requestId, displayName, platform, remoteIp, scopes = [], ts } = device;
    const name = displayName || words.unknownDevice;
    const act = (method: "device.pair.approve" | "device.pair.reject", done: string) =>
      this.#act(() => this.world.wire.call(method, { requestId }), done);
    return {
      icon: "devices",
      tone: "info",
      title: words.device(name),
      details: [
        scopes.length > 0 && words.deviceAsks(rightsOf(scopes, words)),
        [platform, remoteIp, whenOf(ts, this.world.words, words)].filter(Boolean).join(" · "),
      ],
      actions: html`${this.#renderAct(words.reject, () => act("device.pair.reject", words.deviceRejected(name)))}
      ${this.#renderAct(words.approve, () => act("device.pair.approve", words.deviceApproved(name)), "primary")}`,
    };
  }

  /** What it offers is looked at in full where it is answered: some of it can do harm. */
  #node({ node, name }: NeedOf<"node">): NeedView {
    const words = this.words("overview");
    const { platform, remoteIp, adds, ts } = node;
    const more = adds.commands.length - MOST_ISSUES;
    const commands = adds.commands.slice(0, MOST_ISSUES).join(", ");
    return {
      icon: "devices",
      tone: "info",
      title: words.node(name || words.unknownDevice),
      details: [
        commands && html`<code>${commands}${more > 0 ? ", …" : ""}</code>`,
        [platform, remoteIp, whenOf(ts, this.world.words, words)].filter(Boolean).join(" · "),
      ],
      actions: this.#renderLink(words.look, writeRoute("devices"), "primary"),
    };
  }

  #config({ tone, config, issues }: NeedOf<"config">): NeedView {
    const words = this.words("overview");
    const isBad = tone === "bad";
    const inUse =
      config.source === "last-good" ? words.lastGood : config.source === "defaults" ? words.defaultsUsed : "";
    const more = issues.length - MOST_ISSUES;
    const told = issues.slice(0, MOST_ISSUES).map(({ path, message, line }) => {
      const text = path ? words.place(path, message) : message;
      return html`${text}${line === undefined ? nothing : html` <span class="muted">(${words.line(line)})</span>`}`;
    });
    return {
      icon: "config",
      tone,
      title: isBad ? words.configBroken : words.configDoubts,
      details: [...told, more > 0 && words.moreProblems(more), isBad && inUse],
      actions: this.#renderLink(isBad ? words.fix : words.look, writeRoute("config", [], { tab: "raw" })),
    };
  }

  #channel({ channel, name, state, error }: NeedOf<"channel">): NeedView {
    const words = this.words("overview");
    return {
      icon: "channels",
      tone: "bad",
      title: words.channelTrouble(name, words[`state_${state}`]),
      details: [error],
      actions: this.#renderLink(
        state === "unlinked" ? words.linkIt : words.look,
        writeRoute("channels", [], { channel }),
      ),
    };
  }

  #names({ channel, name, names }: NeedOf<"names">): NeedView {
    const words = this.words("overview");
    return {
      icon: "channels",
      tone: "warn",
      title: words.channelNames(name),
      details: [names.join(", ")],
      actions: this.#renderLink(words.fix, writeRoute("config", ["channels", channel])),
    };
  }

  #budget({ budget }: NeedOf<"budget">): NeedView {
    const words = this.words("overview");
    const limit = limitName(budget, words);
    const isOver = budget.share >= 1;
    const share = this.world.words.number(budget.share, { style: "percent", maximumFractionDigits: 0 });
    const renews = budget.resetsAt === undefined ? "" : words.renews(this.world.words.ago(budget.resetsAt));
    return {
      icon: "usage",
      tone: isOver ? "bad" : "warn",
      title: isOver ? words.budgetOver(limit) : words.budgetNear(limit, share),
      details: [[amountOf(budget, this.world.words, words), renews].filter(Boolean).join(" · ")],
      actions: html`${this.#renderLink(words.seeUsage, writeRoute("usage"), "quiet")}
      ${this.#renderLink(words.changeLimit, writeRoute("config", ["budgets"]))}`,
    };
  }

  #delivery({ delivery, channel }: NeedOf<"delivery">): NeedView {
    const words = this.words("overview");
    const { id, to, createdAt, preview, error } = delivery;
    return {
      icon: "send",
      tone: "bad",
      title: words.lost(channel),
      details: [
        words.lostTo(to, whenOf(createdAt, this.world.words, words)),
        preview && html`<q>${preview}</q>`,
        error,
      ],
      actions: this.#renderAct(words.resend, () =>
        this.#act(() => this.world.wire.call("deliveries.resend", { id }), words.resent),
      ),
    };
  }

  #moreDeliveries({ count }: NeedOf<"more-deliveries">): NeedView {
    const words = this.words("overview");
    return {
      icon: "send",
      tone: "bad",
      title: words.moreLost(count),
      details: [],
      actions: this.#renderLink(words.showAll, writeRoute("channels")),
    };
  }

  #job({ job }: NeedOf<"job">): NeedView {
    const words = this.words("overview");
    const { executed, error, deliveryError } = factsOfJob(job);
    const { nextRunAtMs } = job.state;
    const isUnheard = executed === "ok";
    return {
      icon: "cron",
      tone: "bad",
      title: isUnheard ? words.jobUnheard(job.name) : words.jobFailed(job.name),
      details: [
        isUnheard ? deliveryError : error,
        nextRunAtMs !== undefined && job.enabled && words.jobNext(timeWords(nextRunAtMs, this.world.words)),
      ],
      actions: html`${this.#renderLink(words.look, writeRoute("cron", [job.id]))}
      ${this.#renderAct(words.runAgain, () => this.#act(() => runNow(this.world, job)), "primary")}`,
    };
  }

  #moreJobs({ count }: NeedOf<"more-jobs">): NeedView {
    const words = this.words("overview");
    return {
      icon: "cron",
      tone: "bad",
      title: words.moreJobs(count),
      details: [],
      actions: this.#renderLink(words.showAll, writeRoute("cron", [], { show: "failed" })),
    };
  }

  #danger({ finding }: NeedOf<"danger">): NeedView {
    const words = this.words("overview");
    const { id, title, risk, where, fixable } = finding;
    return {
      icon: "security",
      tone: "bad",
      title,
      details: [risk, html`<code>${where}</code>`],
      actions: this.#renderLink(
        fixable ? words.fix : words.look,
        writeRoute("security", [], { finding: id }),
        "primary",
      ),
    };
  }

  #weak({ findings }: NeedOf<"weak">): NeedView {
    const words = this.words("overview");
    const more = findings.length - MOST_ISSUES;
    return {
      icon: "security",
      tone: "warn",
      title: words.couldBeSafer(findings.length),
      details: [...findings.slice(0, MOST_ISSUES).map(({ title }) => title), more > 0 && words.moreProblems(more)],
      actions: this.#renderLink(words.look, writeRoute("security")),
    };
  }

  #renderAct(label: string, run: () => Promise<unknown>, look = ""): TemplateResult {
    return html`<button class="button small ${look}" ?disabled=${this.isBusy} @click=${() => void run()}>
      ${label}
    </button>`;
  }

  #renderLink(label: string, href: string, look = ""): TemplateResult {
    return html`<a class="button small ${look}" href=${href}>${label}</a>`;
  }

  async #act(run: () => Promise<unknown>, done?: string): Promise<void> {
    this.isBusy = true;
    await this.attempt(run, done);
    this.isBusy = false;
  }

  #approvePerson(person: NeedOf<"person">["person"]): Promise<void> {
    const words = this.words("overview");
    const { channel, code, accountId } = person;
    return this.#act(async () => {
      const answer = await this.world.wire.call("pairing.approve", { channel, code, accountId, notify: true });
      const name = personName(person);
      const done = answer.isOwner ? words.letInOwner(name) : words.letInDone(name);
      this.world.notices.say(answer.note ? `${done} ${answer.note}` : done);
    });
  }

  #rejectPerson(person: NeedOf<"person">["person"]): Promise<void> {
    const { channel, code, accountId } = person;
    const done = this.words("overview").turnedAway(personName(person));
    return this.#act(() => this.world.wire.call("pairing.reject", { channel, code, accountId }), done);
  }
}

customElements.define("chela-overview-need", NeedRow);
