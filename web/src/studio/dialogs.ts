// Questions of the studio: a choice of some answers, a name, and what there is to know.
import { h, iconButton } from "../app/dom";

function open(title: string, content: (Node | string)[], closed: (answer: string) => void): HTMLDialogElement {
  const dialog = h("dialog", { class: "dialog ask", "aria-label": title });
  dialog.append(h("header", {}, h("h2", {}, title), h("span", { class: "spacer" }), iconButton("close", "Close", () => dialog.close())), ...content);
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed(dialog.returnValue);
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** One of the answers, the first of which is the usual one; nothing if the question was left open. */
export function choose<Answer extends string>(title: string, text: string, answers: readonly Answer[]): Promise<Answer | null> {
  return new Promise((done) => {
    const buttons = answers.map((answer, i) => h("button", { type: "button", class: i === 0 ? "button primary" : "button", onclick: () => dialog.close(answer) }, answer));
    const dialog = open(title, [h("p", {}, text), h("div", { class: "ask-buttons" }, ...buttons)], (answer) => done(answers.find((one) => one === answer) ?? null));
    buttons[0]?.focus();
  });
}

/** The name of a model; nothing if none was given. */
export function askName(title: string, text: string, proposal: string, verb: string): Promise<string | null> {
  return new Promise((done) => {
    const field = h("input", { type: "text", class: "field", value: proposal, "aria-label": "name", spellcheck: "false", autocomplete: "off" });
    const form = h("form", { onsubmit: (event: Event) => { event.preventDefault(); dialog.close(field.value.trim()); } },
      h("p", {}, text), field, h("div", { class: "ask-buttons" }, h("button", { type: "submit", class: "button primary" }, verb)));
    const dialog = open(title, [form], (name) => done(!name ? null : name.endsWith(".nsm") ? name : `${name}.nsm`));
    field.select();
  });
}

const parts: [string, string][] = [
  ["Text", "The model, at the left. It is checked while you write: mistakes are underlined, and where the hint knows how to mend one, a click does. Ctrl+Space completes; the pointer over a word says what it means."],
  ["Parameters", "A slider for every param; one that follows others goes its own way when it is moved, until its arrow. Moving one runs the model again; the text stays as it is. param mu = 0.3 in 0..1 gives a slider its bounds."],
  ["Motion", "What the model does, at the right: drag to turn, scroll to zoom, space to play. Beside it are the forces in their sets, plots, energy and equations."],
  ["Earlier runs", "Runs you looked at are listed below the parameters; tick them to see them beside the present one."],
  ["Files", "Models of the folder and examples are in the menu at the top. Nothing is written before you save, and nothing leaves this machine."],
];
const keys: [string, string][] = [["Ctrl Enter", "run"], ["Ctrl S", "save"], ["Ctrl Space", "complete a name"], ["Ctrl F", "find"], ["Ctrl /", "comment"]];

export function help(): void {
  open("The studio", [
    h("dl", { class: "about" }, ...parts.flatMap(([name, text]) => [h("dt", {}, name), h("dd", {}, text)])),
    h("dl", { class: "keys" }, ...keys.map(([key, text]) => h("div", {}, h("dt", {}, ...key.split(" ").map((one) => h("kbd", {}, one))), h("dd", {}, text)))),
  ], () => undefined);
}
