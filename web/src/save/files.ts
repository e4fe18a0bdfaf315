// What the reader takes home: pictures, drawings, tables. Names are made of the model's.
import { color } from "../app/theme";

let stem = "nsmc";
export function nameFiles(model: string): void {
  stem = model.replace(/[^\w.-]+/g, "_") || "nsmc";
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${stem}_${name.replace(/[^\w.-]+/g, "_")}`;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

export async function saveCanvas(canvas: HTMLCanvasElement, name: string): Promise<void> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) download(blob, `${name}.png`);
}

export function saveText(text: string, name: string, type: string): void {
  download(new Blob([text], { type }), name);
}

const written = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "font-size", "font-family", "font-weight", "opacity"];

/** A drawing of the page with the styles that it has there written into its elements, so that it stands alone. */
export function standalone(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const from = drawing.querySelectorAll<SVGElement>("*");
  copy.querySelectorAll<SVGElement>("*").forEach((element, i) => {
    const style = getComputedStyle(from[i]);
    element.setAttribute("style", written.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
    element.removeAttribute("class");
  });
  const box = drawing.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  copy.setAttribute("style", `background:${color("--panel")}`);
  return new XMLSerializer().serializeToString(copy);
}
