// What a contact does at a row: open, sticking, slipping, or in an impact. The colours of forces and events follow it.
import type { Contact, Law } from "../data/contract";
import { percentile, type Run } from "../data/run";
import { Boundary } from "../reservoir/boundary";
import { extentOf } from "./extent";

export type ContactState = "open" | "stick" | "slip" | "impact" | "closed";

export const stateColor: Record<ContactState, string> = {
  open: "--faint", stick: "--stick", slip: "--slip", impact: "--impact", closed: "--closed",
};
export const stateText: Record<ContactState, string> = {
  open: "open", stick: "sticks", slip: "slips", impact: "impact", closed: "closed",
};

const speeds = new WeakMap<Run, number>();

// How far the bodies get in a hundredth of the run, at most, over that time.
function usualSpeed(run: Run): number {
  let found = speeds.get(run);
  if (found !== undefined) return found;
  found = 0;
  const stride = Math.max(1, Math.floor(run.rows / 100));
  for (const item of run.scene.items.slice(0, 50)) {
    const position = item.position;
    if (!position) continue;
    for (let row = stride; row < run.rows; row += stride) {
      const distance = Math.hypot(...position.map((channel) => run.at(channel, row) - run.at(channel, row - stride)));
      const time = run.t[row] - run.t[row - stride];
      if (time > 0 && Number.isFinite(distance)) found = Math.max(found, distance / time);
    }
  }
  // What rests has no speed of its own: its size over the time of the run.
  found = Math.max(found, extentOf([run]).radius / 10 / Math.max(run.end - run.start, 1e-300));
  speeds.set(run, found);
  return found;
}

/** The force of a contact: normal and friction together. */
export function forceOf(run: Run, contact: Contact, row: number): number {
  const N = contact.N ?? null;
  return Math.hypot(N === null ? 0 : run.at(N, row), contact.T ? run.norm(contact.T, row) : 0);
}

/** Whether a contact is loaded for more than some rows. What is not has percussions only. */
export function lasts(run: Run, contact: Contact): boolean {
  if (run.rows < 100) return true;
  const stride = Math.max(1, Math.floor(run.rows / 1000));
  let loaded = 0;
  for (let row = 0; row < run.rows; row += stride) if (forceOf(run, contact, row) > 0) loaded += stride;
  return loaded > 0.02 * run.rows;
}

export class ContactReader {
  private readonly friction: Law | undefined;
  private readonly still: number;
  private readonly usual: number;
  private readonly impacts: Set<number>;
  private readonly boundary: Boundary | null;
  private readonly strikes: boolean; // and does nothing else

  constructor(readonly run: Run, readonly contact: Contact) {
    this.friction = contact.laws?.find((law) => law.velocity && law.velocity.length > 0 && law.sets.length > 0);
    const velocity = this.friction?.velocity;
    // Solvers leave small velocities in stick: a thousandth of what the contact usually does, or a hundred-thousandth of the speeds
    // of the scene, is no slip.
    this.still = velocity ? Math.max(1e-3 * percentile(run.rows, (row) => run.norm(velocity, row), 0.95), 1e-5 * usualSpeed(run)) : 0;
    // Of two sets, the one that the force lies in.
    const set = this.friction?.sets.find((one) => one.role !== "slip");
    this.boundary = set && this.friction && this.friction.dim <= 3 ? new Boundary(run, set, this.friction.dim) : null;
    const N = contact.N;
    this.usual = N !== null && N !== undefined ? percentile(run.rows, (row) => run.at(N, row), 0.5) : 0;
    this.strikes = (N ?? null) !== null && !lasts(run, contact);
    this.impacts = new Set(run.events.filter((event) => event.contact === contact.name && /impact/i.test(event.kind)).map((event) => run.nearest(event.t)));
  }

  /** The velocity of a law; what solvers leave of one that is zero is not shown as a number. */
  slipSpeed(law: Law, row: number): number {
    const speed = law.velocity ? this.run.norm(law.velocity, row) : 0;
    return law === this.friction && speed < 1e-3 * this.still ? 0 : speed;
  }

  closed(row: number): boolean {
    const { contact, run } = this;
    if (contact.closed !== null && contact.closed !== undefined) return run.at(contact.closed, row) > 0.5;
    if (contact.N !== null && contact.N !== undefined) return Math.abs(run.at(contact.N, row)) > 0;
    return true; // friction without a normal force, as in a joint
  }

  state(row: number): ContactState {
    const { contact, run } = this;
    if (this.impacts.has(row)) return "impact";
    if (!this.closed(row)) return "open";
    if (this.strikes && forceOf(run, contact, row) > 0) return "impact";
    // A force far beyond the usual one is a percussion divided by the step.
    if (this.usual > 0 && contact.N !== null && contact.N !== undefined && run.at(contact.N, row) > 25 * this.usual) return "impact";
    if (!this.friction?.velocity) return "closed";
    if (!(run.norm(this.friction.velocity, row) > this.still)) return "stick";
    // What slips has its force on the boundary; well inside, it creeps as far as the method lets it.
    return this.boundary && this.boundary.share(row, this.friction.force.map((channel) => -run.at(channel, row))) < 0.9 ? "stick" : "slip";
  }
}
