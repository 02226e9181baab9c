// Base class of every element of this page: no shadow root, so that one set of styles holds everywhere.
import { LitElement, type PropertyDeclarations } from "lit";
import type { MethodName } from "@chela/sdk/protocol";
import { Asking, type Question } from "../state/keep.ts";
import type { Route } from "./route.ts";
import type { World } from "./world.ts";
import type { InOtherWords, PageId, Section, Sections } from "../words/index.ts";

export class Part extends LitElement {
  static override properties: PropertyDeclarations = { world: { attribute: false } };
  declare world: World;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected words<S extends Section>(section: S): InOtherWords<Sections[S]> {
    return this.world.words.of(section);
  }

  /** What a page is called in the reader's language. */
  protected pageTitle(id: PageId): string {
    return this.world.words.pageTitle(id);
  }

  /** An answer of the gateway that is kept fresh while this element is shown. Call it in a field's initialiser. */
  protected asking<M extends MethodName>(question: () => Question<M> | undefined): Asking<M> {
    return new Asking(this, () => this.world.keep, question);
  }

  /** Does something that may fail; a failure is told to the person. True if it worked. */
  protected async attempt(act: () => Promise<unknown>, done?: string): Promise<boolean> {
    try {
      await act();
      if (done) this.world.notices.say(done);
      return true;
    } catch (error) {
      this.world.notices.complain(error);
      return false;
    }
  }
}

/** A page: one folder, found by its spec. */
export class Page extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, route: { attribute: false } };
  declare route: Route;
}
