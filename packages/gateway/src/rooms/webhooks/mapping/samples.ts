// An event of each known sender, as its documentation describes it: for trying a mapping before anybody sends something.

export interface Sample {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: unknown;
}

export const SAMPLES: Readonly<Record<string, Sample>> = {
  github: {
    headers: { "x-github-event": "issues", "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958" },
    payload: {
      action: "opened",
      issue: {
        id: 1,
        number: 42,
        title: "Login fails after the update",
        body: "Since this morning nobody can log in.",
        state: "open",
        html_url: "https://github.com/octo/hello/issues/42",
        user: { id: 7, login: "octocat" },
      },
      repository: { id: 11, name: "hello", full_name: "octo/hello", private: false },
      sender: { id: 7, login: "octocat", type: "User" },
    },
  },
  stripe: {
    headers: {},
    payload: {
      id: "evt_1NG8Du2eZvKYlo2CUI79vXWy",
      object: "event",
      type: "invoice.payment_failed",
      livemode: false,
      created: 1_686_089_970,
      data: {
        object: {
          id: "in_1NG8Du2eZvKYlo2C",
          object: "invoice",
          amount_due: 2900,
          currency: "eur",
          customer: "cus_NeZwdNtLEOXuvB",
          customer_email: "ann@example.com",
          status: "open",
          hosted_invoice_url: "https://invoice.stripe.com/i/acct_1/test",
        },
      },
    },
  },
  sentry: {
    headers: { "sentry-hook-resource": "issue", "sentry-hook-timestamp": "1686089970" },
    payload: {
      action: "created",
      installation: { uuid: "a8e5d37a-696c-4c54-adb5-b3f28d64c7de" },
      data: {
        issue: {
          id: "1234567890",
          shortId: "SHOP-2A",
          title: "TypeError: cart.total is not a function",
          culprit: "checkout.pay",
          level: "error",
          status: "unresolved",
          project: { id: "1", name: "Shop", slug: "shop" },
          web_url: "https://sentry.io/organizations/example/issues/1234567890/",
        },
      },
      actor: { type: "application", id: "sentry", name: "Sentry" },
    },
  },
  gmail: {
    headers: {},
    payload: {
      source: "gmail",
      messages: [
        {
          id: "18c2a1b3d4e5f607",
          from: "Ann <ann@example.com>",
          subject: "Lunch on Friday?",
          snippet: "Are you free at noon",
          body: "Are you free at noon on Friday? There is a new place around the corner.",
        },
      ],
    },
  },
};

export const PLAIN_SAMPLE: Sample = { headers: {}, payload: { text: "A test event", source: "test" } };
