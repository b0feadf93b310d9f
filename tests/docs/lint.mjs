// Lints OpenAPI documents; exit code 1 if there are findings.   usage: lint.mjs CONFIGURATION DOCUMENT…
import { formatProblems, getTotals, lint, loadConfig } from '@redocly/openapi-core';

const [configPath, ...documents] = process.argv.slice(2);
const config = await loadConfig({ configPath });
for (const ref of documents) {
  const problems = await lint({ ref, config });
  const totals = getTotals(problems);
  formatProblems(problems, { totals });
  if (totals.errors + totals.warnings > 0) process.exitCode = 1;
}
