// A client for `paraproof lsp`, which does all the work.

const { commands, window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const settings = workspace.getConfiguration("paraproof");
  const command = settings.get("path");
  const server = { command, args: ["lsp", ...settings.get("arguments")] };
  const documents = ["murphi", "cubicle"].map((language) => ({ language }));
  client = new LanguageClient("paraproof", "ParaProof", server, { documentSelector: documents });
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`ParaProof: '${command}' does not start (setting paraproof.path): ${error.message}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running?.isRunning()) {
    await running.stop();
  }
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    commands.registerCommand("paraproof.restart", restart),
    workspace.onDidChangeConfiguration((event) => (event.affectsConfiguration("paraproof") ? restart() : undefined)),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
