// Is a skill wired? The CLI must list it with its description, so that a model can pick it, and hand over its text when it is called.
// Whether a real model would pick it is another question. It runs on every CLI that is named by a variable, and skips itself without any.
import assert from "node:assert/strict";

import { assertRequestContains, skip, withHarness } from "vigiles";
import { claudeCodeAdapter } from "vigiles/claude-code";
import { codexAdapter } from "vigiles/codex";

const adapters = [claudeCodeAdapter, codexAdapter].filter(({ program }) => (process.env[program.variable] ?? "") !== "");
if (adapters.length === 0) skip("neither VIGILES_CLAUDE nor VIGILES_CODEX names a CLI");

const changelog = {
  name: "changelog",
  description: "Writes an entry of the changelog. Use after a change that users notice.",
  body: "Write one line in the past tense, and begin it with the name of the feature.",
};

for (const adapter of adapters) {
  const { skill, callSkill } = adapter.dialect;
  assert.ok(skill && callSkill, `${adapter.title} has skills`);
  const files = skill(changelog);

  // Offered: the model is told when to use it, without having its whole text.
  await withHarness(
    { prompt: "What can you do?", files, model: [{ text: "I can write the changelog." }] },
    (result) => {
      assertRequestContains(result, changelog.description);
      const whole = result.modelRequests.flatMap(({ messages }) => messages.map(({ text }) => text)).join("\n");
      assert.ok(!whole.includes(changelog.body), "the text of a skill costs tokens before anybody needs it");
    },
    { adapter },
  );

  // Called by the user.
  await withHarness({ prompt: callSkill("changelog"), files, model: [{ text: "Search: added filters." }] }, (result) => assertRequestContains(result, changelog.body), { adapter });
}
