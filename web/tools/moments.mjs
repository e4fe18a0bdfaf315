// What docs/gallery.md says and shows of a model, in its order. A model without a row stands at the end, in the middle of its run, with
// what the header of its file says. `at`: the time of the picture, in s; `keys`: pressed before it is taken; `text`: what is seen.
export const moments = {
  tippe_top: { at: 1.2, text: "In the middle of its turn. The orange point is the force of the contact in the Coulomb-Contensou ball of friction force and drilling torque; the arrow is the sliding velocity, normal to it. The plots show that the inclination grows to 3 rad while the spin drops." },
  tippe_top_ellipsoid: { at: 1.0, text: "The same top with an ellipsoid in the place of the ball: a simpler law, and nearly the same motion." },
  tippe_top_cylinder: { at: 0.2, text: "Sliding and drilling do not know of each other: it drills, but does not slide, and so it does not turn over." },
  tippe_top_euler: { at: 0.05, text: "Energies, gaps and slips written by hand. `draw` shows the top, and where its forces act; the arc is the drilling torque." },
  spinning_disc: { at: 0.5, text: "A coin that rolls on its rim. It sticks: the force is well inside its disc." },
  rolling_sphere: { at: 0.1, text: "While it slides, the force is on the edge of the disc. At 0.146 s it begins to roll, and the force drops to nothing." },
  rolling_friction: { at: 0.3, text: "It rolls to rest by a moment about the tangents, which has a disc of its own." },
  free_top: { at: 6, text: "A racket that was thrown: the orange axis turns over again and again, the red angular momentum stays." },
  billiard: { at: 0.0502, text: "The moment of the impact, in red: N and T are percussions over a step." },
  bouncing_ball: { at: 1.4, text: "Infinitely many impacts until 4.06 s, then the ball rests." },
  cradle: { at: 0.106, text: "Newton's law of impact, in two contacts at once, does not give what a real cradle does." },
  rocking_block: { at: 0.6, text: "It rocks from corner to corner, and every impact takes some of its energy." },
  domino: { at: 0.4, text: "Each stone stands on two corners and knocks over the next one; every contact has its forces." },
  woodpecker: { at: 0.05, text: "The sleeve jams on the pole with its lower edge and sticks: the force is inside its interval. The swinging bird frees it again." },
  slider_ellipse: { at: 0.12, text: "The force is the point of the ellipse whose outward normal is the velocity: maximal dissipation. The path bends." },
  slider_collinear: { at: 0.12, text: "The force is opposite to the velocity, so that the arrow is not normal to the ellipse." },
  slider_two_set: { at: 0.12, text: "Two sets: the force lies on the blue one, the velocity is normal to the dashed one on the same ray." },
  slider_nonconvex: { at: 0.15, text: "A reservoir that is not convex. The dashed ellipse gives the direction of sliding." },
  slider_superellipse: { at: 0.12, text: "Superellipses of different roundness, scaled one into the other." },
  slider_rectangle: { at: 0.12, text: "A rectangle: two sign laws. In its corner the velocity may have every direction between the two normals." },
  slider_circle: { at: 0.3, text: "Led along a circle, so that the velocity points everywhere once and the force goes around its reservoir." },
  contensou_disc: { at: 1.0, text: "Two pressures under a disc on a table that slides ever faster: as the friction force grows, the drilling torque vanishes." },
  two_masses: { at: 2.6, text: "A test with a known solution, in pure numbers, in which the multipliers jump." },
  incline: { at: 0.5, text: "Too steep for this friction: the force is at the end of its interval, and the block slides." },
  vibrating_table: { at: 0.3, text: "Faster than friction can follow: the block sticks and slides in turn." },
  block: { at: 0.05, text: "Pushed, and held by the friction of two corners. What each of them carries is not determined, their sum is." },
  pendulum: { at: 0.35, text: "Dry friction in the bearing: in the end it hangs still, and not quite straight down." },
  double_pendulum: { at: 1.3, text: "Two bodies and two joints; the trace of the tip." },
  slider_crank: { at: 0.3, text: "A loop, closed by a constraint; friction in the bearing and on the rail." },
  four_bar: { at: 0.7, text: "Twenty constraints for eighteen degrees of freedom, and it moves nevertheless." },
  column: { at: 0.05, text: "The lowest contact carries the weight of all; the arrows become shorter upwards." },
  pyramid: { at: 0.1, text: "Friction holds it together. How much of it is used can be read off the disc." },
};

// The same for pictures of pages that the commands of a document write: docs/tutorial.md, docs/howto/.
export const momentsOfDocuments = {
  "tutorial/ball": { at: 1.176 },
  "mechanism/crank": { at: 0.37 },
  "tutorial/puck": { at: 0.2, keys: ["0"] },
};
