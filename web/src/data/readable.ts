// A page may come from a newer nsmc than itself, or be made by others: what it cannot draw is left out and named, the rest is shown.
import type { Item, Scene } from "./contract";

const isSize = (value: unknown): boolean => value !== undefined && value !== null;
const has = (count: number) => (item: Item): boolean => (item.points?.length ?? 0) >= count && (item.points ?? []).every(Array.isArray);

/** What the kinds need. */
const needs: Record<string, (item: Item) => boolean> = {
  sphere: (item) => isSize(item.radius), circle: (item) => isSize(item.radius), disc: (item) => isSize(item.radius),
  ellipsoid: (item) => item.radii?.length === 3, box: (item) => (item.size?.length ?? 0) >= 2,
  cylinder: (item) => isSize(item.radius) && isSize(item.length), capsule: (item) => isSize(item.radius) && isSize(item.length),
  cone: (item) => isSize(item.radius) && isSize(item.length),
  polygon: has(3), polyhedron: has(4), line: has(2), polyline: has(2), spring: has(2),
  arrow: (item) => !!item.from && !!item.to, text: (item) => typeof item.text === "string", trace: (item) => !!item.position, plane: () => true,
};

// Channels that name columns which are not there.
function isBroken(value: unknown, columns: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if ("c" in value) return !(Number(value.c) >= 0 && Number(value.c) < columns);
  return Object.values(value).some((part) => isBroken(part, columns));
}

/** The scene without what cannot be read, and the names of that. */
export function readableScene(scene: Scene, columns: number): { scene: Scene; left: string[] } {
  const left: string[] = [];
  const isReadable = (one: Item): boolean => {
    const good = needs[one.kind]?.(one) === true && !isBroken(one, columns);
    if (!good) left.push(`${one.name} (${one.kind})`);
    return good;
  };
  const items = (scene.items ?? []).filter(isReadable);
  const springs = (scene.springs ?? []).filter(isReadable);
  const contacts = (scene.contacts ?? []).filter((contact) => {
    const good = !isBroken(contact, columns);
    if (!good) left.push(contact.name);
    return good;
  }).map((contact) => ({
    ...contact,
    laws: contact.laws?.map((law) => ({ ...law, sets: (law.sets ?? []).filter(({ boundary }) => boundary && (boundary.points?.length || boundary.frames)) })),
  }));
  return { scene: { ...scene, items, springs, contacts }, left };
}
