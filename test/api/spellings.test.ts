import { expect, test } from "vitest";
import { DISASTER_CATALOG, experimental_alternateSpellings, unblockedDisasters, verifyGuardrail } from "vigiles";

test("spellings are disasters like the others, with ids of their own", () => {
  const spellings = experimental_alternateSpellings(DISASTER_CATALOG);
  expect(spellings.length).toBeGreaterThan(300);
  const [first] = spellings;
  expect(first).toEqual({
    id: "force-push~double-quotes",
    category: "destructive-git",
    label: "force-push over the main branch (double quotes)",
    tool: "Bash",
    input: { command: '"git" push --force origin main' },
  });
  expect(experimental_alternateSpellings([])).toEqual([]);
});

test("a guard that looks for a text does not see them", () => {
  const guard = ["bash", "-c", 'case "$(cat)" in *"git push --force"*) exit 2;; esac'];
  const events = DISASTER_CATALOG.filter(({ id }) => id === "force-push");
  expect(unblockedDisasters(verifyGuardrail(guard, { events }))).toEqual([]);
  const through = unblockedDisasters(verifyGuardrail(guard, { events: experimental_alternateSpellings(events) })).map(({ event }) => event.id);
  expect(through).toEqual(expect.arrayContaining(["force-push~double-quotes", "force-push~flags", "force-push~tabs", "force-push~braces"]));
  expect(through).not.toContain("force-push~sudo");
});

test("what is no list of events is refused", () => {
  expect(() => experimental_alternateSpellings([{ id: 1 }] as never)).toThrow(expect.objectContaining({ code: "VIGILES_INVALID_ARGUMENT" }));
});
