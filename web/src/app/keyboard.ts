// Keys that work wherever the focus is, except where one types or chooses.

export type Shortcuts = Record<string, (event: KeyboardEvent) => void>;

export function listenToKeys(shortcuts: Shortcuts): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.closest("input:not([type=range]):not([type=checkbox]), textarea, [contenteditable], dialog[open]")) return;
    const arrows = event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End";
    if (target.closest("select") && (arrows || event.key.length === 1)) return;
    if (target.closest(".menu") && (arrows || event.key === " ")) return;
    if (target.closest("button") && event.key === " " && !target.closest(".transport")) return;
    const act = shortcuts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}
