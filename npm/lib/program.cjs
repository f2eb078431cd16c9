// Finds the program of this machine's platform package.
"use strict";

const { optionalDependencies } = require("../package.json");

/**
 * Returns the path of the program. Throws an error that says what to install if there is none.
 * @returns {string}
 */
function findProgram() {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@discussions-md/${platform}`;
  const version = optionalDependencies[name];
  if (version === undefined) {
    throw new Error(`there is no npm package for ${platform}; try \`cargo install discussions\``);
  }
  try {
    return require.resolve(`${name}/discussions${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    // npm skips an optional package silently, for example with --omit=optional or a lock file of another platform.
    throw new Error(`npm did not install ${name}; run \`npm install ${name}@${version}\``);
  }
}

module.exports = { findProgram };
