// Numbers for people: few digits, prefixes of units, round steps.

const prefixes: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];
const takesPrefix = new Set(["m", "s", "N", "J", "W", "Pa", "Hz", "N m", "N s"]);

/** A number with `digits` significant digits, without a tail of zeros, with a real minus sign. */
export function number(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
    return `${short}e${Number(exponent)}`.replace(/-/g, "−");
  }
  const text = value.toPrecision(digits);
  return (text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : String(Number(text))).replace("-", "−");
}

/** A quantity with a prefix where its unit usually has one: 0.0153 m is 15.3 mm. */
export function quantity(value: number, unit: string, digits = 3): string {
  if (!unit || unit === "1") return number(value, digits);
  if (takesPrefix.has(unit) && value !== 0 && Number.isFinite(value)) {
    const size = Math.abs(value);
    for (const [factor, prefix] of prefixes) {
      if (size >= factor * 0.9995) return `${number(value / factor, digits)} ${prefix}${unit}`;
    }
  }
  return `${number(value, digits)} ${unit}`;
}

/** 1, 2 or 5 times a power of ten, at most `value`. */
export function roundBelow(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value) + 1e-9);
  const rest = value / power;
  return (rest >= 5 ? 5 : rest >= 2 ? 2 : 1) * power;
}

/** Seconds for the clock: as many decimals as the distance of the rows deserves. */
export function decimalsOf(step: number): number {
  return Math.min(6, Math.max(2, Math.ceil(-Math.log10(Math.max(step, 1e-9))) + 1));
}

// nsmc prints dimensions in base units; forces are better known as newtons. A joule and a newton metre have one dimension: `energy`
// tells which is meant.
const known: Record<string, string> = { "kg m/s^2": "N", "kg m^2/s^2": "N m", "kg m/s": "N s", "kg/s^2": "N/m", "kg/s": "N s/m", "kg m^2/s^3": "W", "kg/m/s^2": "Pa", "kg/(m s^2)": "Pa" };

export function namedUnit(unit: string | undefined, energy = false): string {
  if (!unit || unit === "1") return "";
  return energy && unit === "kg m^2/s^2" ? "J" : (known[unit] ?? unit);
}

/** Units as the page writes them: m/s^2 becomes m/s². */
export function unitText(unit: string | undefined): string {
  if (!unit || unit === "1") return "";
  if (unit in known) return known[unit];
  const digits: Record<string, string> = { "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶" };
  return unit.replace(/\^(-?\d+)/g, (_, power: string) => [...power].map((c) => digits[c] ?? c).join("")).replace(/\*/g, " ");
}

/** The unit of the velocity on which a force of this unit does its work. */
export function velocityUnit(force: string | undefined): string {
  return { N: "m/s", "N m": "1/s" }[unitText(force)] ?? "";
}
