// The keys, in a dialog.
import { h, iconButton } from "./dom";

export const keys: [string, string][] = [
  ["Space", "play or pause"],
  ["← →", "one frame back or on; with Shift ten"],
  ["Home End", "start and end"],
  ["− +", "slower, faster"],
  ["[ ]", "event before, event after"],
  ["1 2 3", "top, front, side view"],
  ["0", "see everything"],
  ["A D W S", "turn the camera left, right, up, down"],
  ["Z X", "nearer, further away"],
  ["P", "perspective or parallel"],
  ["F", "follow the next body"],
  ["C", "contact forces on or off"],
  ["G", "other runs as ghosts on or off"],
  ["R", "next run"],
  ["T", "light or dark"],
  ["?", "this list"],
];

export function helpDialog(): HTMLDialogElement {
  const dialog = h("dialog", { class: "dialog", "aria-label": "keys" });
  dialog.append(h("header", {}, h("h2", {}, "Keys"), h("span", { class: "spacer" }), iconButton("close", "Close", () => dialog.close())),
    h("dl", { class: "keys" }, ...keys.map(([key, text]) => h("div", {}, h("dt", {}, ...key.split(" ").map((one) => h("kbd", {}, one))), h("dd", {}, text)))),
    h("p", { class: "note" }, "In the scene: drag turns, the right button shifts, the wheel zooms, a double click on a body follows it. In plots: drag zooms, a double click shows the whole range, a click goes to that time."));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
