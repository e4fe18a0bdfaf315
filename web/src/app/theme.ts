// Light and dark: the system's choice until the reader makes one. Colours live in style/theme.css; what draws on a canvas reads them
// from there, and is told when they change.

type Listener = () => void;
const listeners: Listener[] = [];
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const key = "nsmc-theme";

function stored(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // file:// pages may be denied a store
  }
}

let chosen = stored();

export function isDark(): boolean {
  return chosen ? chosen === "dark" : dark.matches;
}

function apply(): void {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  cache.clear();
  for (const listener of listeners) listener();
}

export function switchTheme(): void {
  chosen = isDark() ? "light" : "dark";
  try {
    localStorage.setItem(key, chosen);
  } catch {
    // It holds for this page then.
  }
  apply();
}

export function onTheme(listener: Listener): void {
  listeners.push(listener);
}

const cache = new Map<string, string>();

/** The value of a custom property such as "--ink". */
export function color(name: string): string {
  let value = cache.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "#888888";
    cache.set(name, value);
  }
  return value;
}

const curves = 8;
export function curveColor(index: number): string {
  return color(`--curve-${(index % curves) + 1}`);
}

export function startTheme(): void {
  // A page in the frame of the studio follows its choice, which is told by the store.
  window.addEventListener("storage", (event) => {
    if (event.key !== key) return;
    chosen = event.newValue;
    apply();
  });
  dark.addEventListener("change", () => {
    if (!chosen) apply();
  });
  apply();
}
