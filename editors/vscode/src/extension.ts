// nsmc in VS Code: starts the language server, and calls nsmc for what is not writing: run, view, equations.
import { execFile } from "node:child_process";
import { access, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, type ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration("nsmc");
const program = (): string => settings().get<string>("path") || "nsmc";
const importPaths = (): string[] => (settings().get<string[]>("importPaths") ?? []).flatMap((folder) => ["--import-path", folder]);

async function startServer(): Promise<void> {
  const server: ServerOptions = { command: program(), args: ["lsp", ...importPaths()] };
  client = new LanguageClient("nsmc", "nsmc", server, { documentSelector: [{ language: "nsm" }] });
  try {
    await client.start();
  } catch (error) {
    const answer = await vscode.window.showErrorMessage(`nsmc: '${program()} lsp' cannot be started (${(error as Error).message})`, "Settings");
    if (answer === "Settings") await vscode.commands.executeCommand("workbench.action.openSettings", "nsmc.path");
  }
}

async function restartServer(): Promise<void> {
  await client?.stop().catch(() => undefined);
  await startServer();
}

/** The model in front, saved: nsmc reads files. */
async function model(): Promise<string | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "nsm") {
    void vscode.window.showInformationMessage("nsmc: open a model (.nsm) first");
    return undefined;
  }
  if ((document.isDirty || document.isUntitled) && !(await document.save())) return undefined;
  return document.uri.fsPath;
}

/** What nsmc prints; rejects with what it says of trouble. */
function nsmc(...parameters: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program(), parameters, { maxBuffer: 1 << 28 }, (error, output, trouble) => (error ? reject(new Error(trouble.trim() || error.message)) : resolve(output)));
  });
}

async function run(): Promise<void> {
  const file = await model();
  if (!file) return;
  // A task, so that neither a shell nor a name with blanks comes in between.
  const execution = new vscode.ProcessExecution(program(), ["run", ...importPaths(), file], { cwd: path.dirname(file) });
  await vscode.tasks.executeTask(new vscode.Task({ type: "nsmc" }, vscode.TaskScope.Workspace, path.basename(file), "nsmc", execution));
}

async function view(): Promise<void> {
  const file = await model();
  if (!file) return;
  const place = await mkdtemp(path.join(tmpdir(), "nsmc-"));
  try {
    const page = path.join(place, "view.html");
    // A run that ended early has a page, too.
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: `nsmc: ${path.basename(file)} runs` },
      () => nsmc("view", "--quiet", "--no-open", "-o", page, ...importPaths(), file).catch(async (error: Error) => {
        await access(page).catch(() => Promise.reject(error));
        void vscode.window.showWarningMessage(`nsmc: ${error.message}`);
      }));
    const panel = vscode.window.createWebviewPanel("nsmc.view", path.basename(file), { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] });
    panel.webview.html = await readFile(page, "utf8");
  } catch (error) {
    void vscode.window.showErrorMessage(`nsmc: ${(error as Error).message}`);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function equations(): Promise<void> {
  const file = await model();
  if (!file) return;
  try {
    const document = await vscode.workspace.openTextDocument({ content: await nsmc("emit", ...importPaths(), file), language: "plaintext" });
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true });
  } catch (error) {
    void vscode.window.showErrorMessage(`nsmc: ${(error as Error).message}`);
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const commands: Record<string, () => Promise<void>> = { "nsmc.run": run, "nsmc.view": view, "nsmc.equations": equations, "nsmc.restart": restartServer };
  for (const [name, action] of Object.entries(commands)) context.subscriptions.push(vscode.commands.registerCommand(name, action));
  context.subscriptions.push(vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration("nsmc")) void restartServer();
  }));
  await startServer();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
