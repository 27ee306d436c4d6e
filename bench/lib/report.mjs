const HEAD = ["work", "side", "median", "spread", "rate", "peak RSS", "ours is", "bar", "holds"];

const milliseconds = (ms) => (ms < 10 ? `${ms.toFixed(3)} ms` : `${ms.toFixed(0)} ms`);

function rate({ bytes, runs }, ms) {
  if (bytes) return `${Math.round(bytes / 1e3 / ms)} MB/s`;
  return `${Math.round((runs * 1e3) / ms)} runs/s`;
}

/** The last three columns of a side: how far it is from ours, what was wanted, whether it was reached. */
function judgement({ comparisons, memory }, name) {
  if (name === "ours" && memory) return [`${memory.ratio.toFixed(2)} x file`, `<= ${memory.bar} x file`, memory.holds ? "yes" : "NO"];
  const comparison = comparisons.find(({ peer }) => peer === name);
  if (comparison === undefined) return ["", "", ""];
  const { ratio, bar, most, holds } = comparison;
  if (most) return [`${(1 / ratio).toFixed(2)} x its time`, `<= ${most} x`, holds ? "yes" : "NO"];
  const distance = ratio >= 1 ? `${ratio.toFixed(1)}x faster` : `${(1 / ratio).toFixed(1)}x slower`;
  return bar ? [distance, `>= ${bar}x`, holds ? "yes" : "NO"] : [distance, "", ""];
}

/** The lines of the table, one for each side of each row. */
function table({ results, idleRssKb }) {
  return results.flatMap((result) =>
    Object.entries(result.sides).map(([name, side], at) => [
      at === 0 ? result.title : "",
      name,
      milliseconds(side.ms),
      `${milliseconds(Math.min(...side.samples))} .. ${milliseconds(Math.max(...side.samples))}`,
      rate(result, side.ms),
      side.peakRssKb && result.bytes ? `${(((side.peakRssKb - idleRssKb) * 1024) / 1e6).toFixed(0)} MB` : "",
      ...judgement(result, name),
    ]),
  );
}

function heading({ machine, rounds }) {
  const { cpu, cores, memoryGb, system, node, rust } = machine;
  return [
    `${cpu}, ${cores} cores, ${memoryGb} GB; ${system}; node ${node}${rust ? `; rust ${rust}` : ""}`,
    `medians of ${rounds}, each in a fresh process; peak RSS is above that of an idle node; floor = newline scan + UTF-8 check of the mapped file`,
  ];
}

export function renderText(report) {
  const lines = [HEAD, ...table(report)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const padded = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column])).join("  ").trimEnd());
  return [...heading(report), "", ...padded].join("\n");
}

export function renderMarkdown(report) {
  const row = (cells) => `| ${cells.join(" | ")} |`;
  return [...heading(report).map((line) => `${line}  `), "", row(HEAD), row(HEAD.map(() => "---")), ...table(report).map((line) => row(line))].join("\n");
}
