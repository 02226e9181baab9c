// Mappings for well-known senders. Each has a path, a way to sign, and lines that say what an event is about.
import type { SignatureType } from "./mapping.ts";

export interface Preset {
  readonly name: string;
  readonly path: string;
  /** How its sender signs; without it the token is needed. */
  readonly signature?: SignatureType;
  readonly sessionKey?: string;
  readonly lines: readonly string[];
}

export const PRESETS: Readonly<Record<string, Preset>> = {
  gmail: {
    name: "Gmail",
    path: "gmail",
    sessionKey: "hook:gmail:{{messages[0].id}}",
    lines: [
      "New e-mail from {{messages[0].from}}",
      "Subject: {{messages[0].subject}}",
      "{{messages[0].snippet}}",
      "{{messages[0].body}}",
    ],
  },
  github: {
    name: "GitHub",
    path: "github",
    signature: "github",
    lines: [
      "GitHub: {{headers.x-github-event}} {{action}}",
      "Repository: {{repository.full_name}}",
      "By: {{sender.login}}",
      "Issue #{{issue.number}}: {{issue.title}}",
      "{{issue.html_url}}",
      "{{issue.body}}",
      "Pull request #{{pull_request.number}}: {{pull_request.title}}",
      "{{pull_request.html_url}}",
      "{{pull_request.body}}",
      "Review: {{review.state}} {{review.body}}",
      "Comment: {{comment.body}}",
      "{{comment.html_url}}",
      "Pushed to {{ref}}: {{head_commit.message}}",
      "{{compare}}",
      "Release {{release.tag_name}}: {{release.body}}",
      "{{release.html_url}}",
      "Workflow {{workflow_run.name}}: {{workflow_run.conclusion}}",
      "{{workflow_run.html_url}}",
    ],
  },
  stripe: {
    name: "Stripe",
    path: "stripe",
    signature: "stripe",
    lines: [
      "Stripe: {{type}}",
      "Event: {{id}}",
      "Object: {{data.object.object}} {{data.object.id}}",
      "Status: {{data.object.status}}",
      "Amount: {{data.object.amount}} {{data.object.amount_due}} {{data.object.amount_total}} {{data.object.currency}}",
      "Customer: {{data.object.customer}} {{data.object.customer_email}}",
      "Reason: {{data.object.failure_message}}",
      "{{data.object.hosted_invoice_url}}",
      "Test mode: {{livemode}} (false means a test)",
    ],
  },
  sentry: {
    name: "Sentry",
    path: "sentry",
    signature: "sentry",
    lines: [
      "Sentry: {{headers.sentry-hook-resource}} {{action}}",
      "{{data.issue.shortId}} {{data.issue.title}}",
      "In: {{data.issue.culprit}}",
      "Project: {{data.issue.project.slug}}",
      "Level: {{data.issue.level}}",
      "{{data.issue.web_url}}",
      "{{data.event.title}}",
      "In: {{data.event.culprit}}",
      "Level: {{data.event.level}}",
      "Rule: {{data.triggered_rule}}",
      "{{data.event.web_url}}",
      "{{data.metric_alert.title}}",
      "{{data.description_text}}",
      "{{data.web_url}}",
    ],
  },
  generic: {
    name: "Webhook",
    path: "generic",
    signature: "generic",
    lines: ["{{payload}}"],
  },
};
