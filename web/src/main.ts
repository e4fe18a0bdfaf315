// The entry: reads the data that `nsmc view` wrote into the page and shows them.
import "./style/theme.css";
import "uplot/dist/uPlot.min.css";
import "./style/layout.css";
import "./style/controls.css";
import "./style/panels.css";
import { h } from "./app/dom";
import { Page } from "./app/page";
import { startTheme } from "./app/theme";
import type { PageData } from "./data/contract";

declare global {
  interface Window {
    /** For tests and for those who look at the page from the console. */
    nsmcPage?: Page;
    /** Shows these data: how the studio fills the page in its frame. */
    nsmcShow?: (data: PageData) => void;
  }
}

const format = 1;

function read(): PageData | string {
  const element = document.getElementById("nsmc-data");
  const text = element?.textContent ?? "";
  // The text of a page of 50 MB should not be kept beside what it says.
  if (element) element.textContent = "";
  if (!text.trim().startsWith("{")) return "This page has no data: it is the frame that nsmc view fills. Run nsmc view MODEL.nsm.";
  try {
    const data = JSON.parse(text) as PageData;
    if (data.format !== format) return `These data have format ${data.format}, this page reads format ${format}: they come from another version of nsmc.`;
    return data;
  } catch (error) {
    return `The data of this page cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

startTheme();
const root = document.getElementById("app") as HTMLElement;
const data = read();
window.nsmcShow = (shown) => {
  root.replaceChildren();
  window.nsmcPage = new Page(root, shown);
};
if (typeof data === "string") {
  if (window.parent === window) root.append(h("p", { class: "no-data" }, data));
} else {
  // Text on canvases is drawn with the page's fonts, which are there but must be woken up.
  void Promise.all([document.fonts.load("500 14px Inter"), document.fonts.load("14px 'Plex Mono'")]).catch(() => undefined).then(() => {
    window.nsmcPage = new Page(root, data);
  });
}
