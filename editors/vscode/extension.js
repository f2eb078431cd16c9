// Starts the language server. All features are in the server; this file only finds the program.

const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

// Returns the absolute path of the program. The operating system might also look in the open folder, whose files may come
// from anyone.
function find(name) {
  if (path.isAbsolute(name)) return name;
  const endings = process.platform === "win32" ? [".exe"] : [""];
  const folders = (process.env.PATH || "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const files = folders.flatMap((folder) => endings.map((ending) => path.join(folder, path.basename(name) + ending)));
  return files.find((file) => {
    try {
      fs.accessSync(file, fs.constants.X_OK);
      return fs.statSync(file).isFile();
    } catch {
      return false;
    }
  });
}

// Says that the program is missing, if the project has discussions.
async function warn() {
  const found = await vscode.workspace.findFiles("{discussions.yaml,discussions/**/*.md}", null, 1);
  if (found.length === 0) return;
  const how = "How to install";
  const text = "The program `discussions` is not in PATH, so discussions are not checked.";
  if ((await vscode.window.showWarningMessage(text, how)) === how) {
    await vscode.env.openExternal(vscode.Uri.parse("https://github.com/discussions-md/discussions#install"));
  }
}

// Starts the server for discussions in files and in new documents.
async function activate(context) {
  const start = async () => {
    const command = find(vscode.workspace.getConfiguration("discussions").get("path"));
    if (!command) return warn();
    client = new LanguageClient("discussions", "Discussions", { command, args: ["lsp"] }, {
      documentSelector: [
        { language: "markdown", scheme: "file" },
        { language: "markdown", scheme: "untitled" },
      ],
      initializationOptions: { trusted: vscode.workspace.isTrusted },
    });
    return client.start();
  };
  // Git may be asked once the user trusts the folder.
  const restart = async () => {
    await client?.stop();
    client = undefined;
    await start();
  };
  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration("discussions.path") && restart(),
    ),
  );
  await start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
