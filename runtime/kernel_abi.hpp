// The plain table of kernels and sizes: all that the compiler and the runtime share. A JIT, an object file, a
// shared library or hand-written C++ can fill it.
//
// Blocks and classes. The state is cut into blocks (bodies; a model in generalised coordinates is one block). Blocks
// and contacts are instances of classes; kernels belong to classes and are called once per instance with a view on
// the state of the blocks that the instance touches (one or two).
//
// Contacts are described on the simple sets ("hatted" quantities of [Möller 2009, (41)]): a law
//     B*gamma + D*lambda  in  N_{A*K}(-lambda),      K = K_1 x ... x K_m
// is handed over as  xi = V^T u + chi + C*lambda  in  N_K(-lambda)  with W := W*A (force directions), V := W*B^T*A
// (velocity directions; V = W unless `mapped`), chi := A^T*B*chi, C := A^T*D*A. All forces below are those hatted
// forces; the table's `observe` turns them back into the user's.
#pragma once

#include <cstdint>

extern "C" {

// What a kernel reads. Unused pointers may be null.
struct nsm_view {
  double t;
  const double* p;       // parameters of the model
  const double* self;    // parameters of the instance
  const double* q[2];    // coordinates of the touched blocks
  const double* u[2];    // velocities of the touched blocks
  const double* lambda;  // hatted forces of this contact (for `observe` and outputs: see there)
  double* shared;        // values that one kernel computes and later ones read; see `prepare`
  const double* z;       // signals of the model: the last n_z of all coordinates
  const void* context;   // for functions of sets that are not compiled: what they stand for; null otherwise
};

// What makes a signal change: a state has a rate of its own, a discrete variable changes by events, an input from
// outside.
enum nsm_signal_kind { NSM_STATE = 0, NSM_DISCRETE = 1, NSM_INPUT = 2 };

typedef void (*nsm_kernel)(const struct nsm_view* view, double* out);

enum { NSM_NONE = 0xffffffff, NSM_MIXED = 0xfffffffe };

enum nsm_mass_structure { NSM_MASS_DENSE = 0, NSM_MASS_DIAGONAL = 1 };

struct nsm_block_class {
  const char* name;
  uint32_t n_q;
  uint32_t n_u;
  uint32_t mass_structure;       // nsm_mass_structure
  uint32_t constant_mass;        // 1 if M depends on parameters only
  uint32_t identity_kinematics;  // 1 if q' = u (then n_q = n_u and `kinematics` may be null)
  uint32_t quaternion;           // where in q a unit quaternion stands, which is renormalised; NSM_NONE: nowhere
  nsm_kernel kinematics;         // out: q' = F(q) u, n_q values
  // out: M (dense: n_u x n_u, column-major, lower triangle written; diagonal: n_u values), then h (n_u values)
  nsm_kernel dynamics;
  nsm_kernel energy;  // out: kinetic plus potential energy, one value; may be null
  // Work of smooth forces, for those who count it. out: the power of given forces u^T f, the power that dissipation
  // functions take u^T dR/du, an energy T1 + 2 T0 whose changes are work of whoever moves the frame of the coordinates,
  // and the power of what depends on time otherwise, d(V - T)/dt; may be null: all zero
  nsm_kernel work;
  nsm_kernel initial;  // out: q (n_q), then u (n_u) at the start, from p and self alone; may be null: all zero
};

// A smooth force that a block class does not hold in its own `dynamics`: a spring between two bodies.
struct nsm_element_class {
  const char* name;
  uint32_t n_blocks;  // 1 or 2
  nsm_kernel force;   // out: what is added to h of each block (n_u values each), one block after the other
  nsm_kernel energy;  // out: its potential energy, one value; may be null
  nsm_kernel work;    // as that of a block class
};

enum nsm_set_kind {
  NSM_SET_INTERVAL = 0,   // arguments a, b: a <= x <= b (either may be infinite)
  NSM_SET_BALL = 1,       // argument r: |x| <= r
  NSM_SET_ELLIPSOID = 2,  // arguments a_1 ... a_d: sum (x_i/a_i)^2 <= 1, projected on directly
  NSM_SET_POLYGON = 3,    // arguments x_1, y_1, x_2, y_2, ...: convex, corners counter-clockwise; dim = 2
  NSM_SET_GAUGE = 4,      // argument s, then coefficients: s * {x : k(x) <= 1}, k from `function`
  NSM_SET_SUPPORT = 5,    // argument s, then coefficients: s * (the set whose support function is Phi), from `function`
  // Arguments f (length), a (coefficient): Coulomb-Contensou friction with the extents f, f, f*a; dim = 3
  NSM_SET_CONTENSOU_PARABOLIC = 6,
  NSM_SET_CONTENSOU_UNIFORM = 7,
  NSM_SET_FACE = 8,  // not of a model: a face of a set by a function, as a set of its own (FaceSet of flat_face.hpp)
};

// One factor K_j of the product K of a contact, over the rows first_row ... first_row + dim - 1.
struct nsm_set {
  uint32_t kind;  // nsm_set_kind
  uint32_t first_row;
  uint32_t dim;
  uint32_t first_argument;
  uint32_t n_arguments;  // without the centre and alpha
  uint32_t n_lengths;    // the first of the arguments are lengths in units of force; the others are pure coefficients
  uint32_t shifted;      // 1: dim more arguments (lengths) follow, the centre c of K_j + c
  // 1: one more argument follows, alpha > 0, and the law reads xi in N_K(-alpha*lambda) [Walker 2017, (21), (22)]
  uint32_t scaled;
  // Gauge and support sets: at the point view->lambda (dim values, pure numbers) with the coefficients view->self,
  // out: the value, its gradient (dim), its Hessian (dim x dim). Positively homogeneous of degree one, convex.
  nsm_kernel function;
};

struct nsm_contact_class {
  const char* name;
  uint32_t n_blocks;  // 1 or 2
  uint32_t n_rows;    // length of lambda
  uint32_t n_sets;
  const struct nsm_set* sets;
  uint32_t n_arguments;  // of all sets together
  uint32_t mapped;       // 1: V is given besides W
  uint32_t compliant;    // 1: C is given
  uint32_t affine;       // 1: set arguments are a + K*lambda; 0: `arguments` computes them
  // The first n_position rows hold positions: bilateral constraints g(q, t) = 0 with V = W = dg/du, which the step
  // enforces on velocities and then, by projection, on positions. Their sets are the whole line, they are not mapped
  // nor compliant, there is no gap, and their restitution is not read.
  uint32_t n_position;
  nsm_kernel position;  // out: g, n_position values; null if there are none
  nsm_kernel gap;       // out: g, one value; null: always closed
  // out, one after another: for each block W (n_u x n_rows, column-major), if mapped for each block V (alike),
  // chi (n_rows), restitution (n_rows), if compliant C (n_rows x n_rows, row-major), and if affine
  // a (n_arguments) and K (n_arguments x n_rows, row-major)
  nsm_kernel directions;
  nsm_kernel arguments;   // out: n_arguments values at lambda; null if affine
  nsm_kernel zeta;        // out: d/dt(V^T u + chi) - V^T u', n_rows values
  nsm_kernel forces;      // out: the user's forces of the hatted ones, n_rows values; null: they are the same
  nsm_kernel velocities;  // with zeta; out: the user's gamma of every row, n_rows values; null: they are V^T u + chi
  // Of a contact with a gap: the row whose velocity is the rate of the gap, or minus this rate, by itself. NSM_NONE: no
  // law speaks of it, NSM_MIXED: a law does, but together with others, scaled, or compliant to forces.
  uint32_t normal;
  uint32_t n_laws;  // the laws of the contact, for counting their work: the first row of each; 0: all rows are one
  const uint32_t* laws;
  nsm_kernel active;  // out: 1 where the contact can act, 0 where it is switched off; null: always on
};

// Recorded quantities that exist once for each index of an array. `lambda` in the view: the user's forces of the
// contact `contact` of the instance.
struct nsm_output_class {
  const char* name;
  uint32_t n_blocks;  // 0, 1 or 2
  uint32_t n_values;
  nsm_kernel value;
};

struct nsm_block {
  uint32_t block_class;
  uint32_t first_q;
  uint32_t first_u;
  const double* self;
};

struct nsm_contact {
  uint32_t contact_class;
  uint32_t blocks[2];
  const char* name;
  const double* self;
};

// Which block an instance of a family means: that of one of its indices, or always the same.
struct nsm_blocks_by_index {
  uint32_t index;          // 0 or 1: which of the indices; NSM_NONE: the only one of `blocks`
  const uint32_t* blocks;  // by index, from the first
};

enum nsm_bounds_kind { NSM_BOUNDS_BOX = 0, NSM_BOUNDS_HALF_SPACE = 1 };

// The shapes of a declaration, for finding those that are near each other.
struct nsm_shapes {
  uint32_t kind;  // nsm_bounds_kind
  int64_t first;  // the index of the first one
  uint64_t count;
  const uint32_t* blocks;  // by shape; null: fixed in the world
  // From t, q of the block, and self: the index. Out, of a box: a centre (3 values), how far the shape reaches from
  // there along the axes (3), and at all (1). Of a half-space: a point of its surface (3) and the normal that leads
  // out (3). In the plane the third components are 0.
  nsm_kernel bounds;
};

// Contacts of one class between shapes of two declarations, any of which may be closed and few of which are. Instances
// are numbered as an enumeration would: by the indices (of pairs i < j: by the second, then by the first), and by the
// points of each. What an instance reads as its `self` are its indices and the numbers of its point.
struct nsm_family {
  uint32_t contact_class;
  uint32_t n_indices;  // 1 or 2
  int64_t first[2];    // of the indices
  uint64_t count[2];
  uint32_t pairs;  // 1: two indices of one range, the first smaller than the second
  uint32_t n_points;
  uint32_t n_point_numbers;
  const double* points;                  // n_points x n_point_numbers; null without points (then n_points is 1)
  struct nsm_blocks_by_index blocks[2];  // as in nsm_contact
  uint32_t shapes[2];                    // which touch each other
  uint32_t shape_index[2];               // which of the indices counts them; NSM_NONE: there is one only
};

struct nsm_element {
  uint32_t element_class;
  uint32_t blocks[2];
  const double* self;
};

// What a model does at instants: `when` its condition becomes true, `every` so often, or it ends the run.
enum nsm_event_kind { NSM_WHEN = 0, NSM_EVERY = 1, NSM_STOP = 2 };

struct nsm_event {
  uint32_t kind;  // nsm_event_kind
  const char* text;
  // Kernels of the whole state, as `observe`. condition: of `when` and `stop`; out: 1 where it holds, 0 where not, and
  // a number that is positive where it holds and changes its sign continuously where it can. interval: of `every`, from
  // p alone. action: out: the new value of every target; null: there are none
  nsm_kernel condition, interval, action;
  uint32_t n_targets;
  const uint32_t* targets;  // signals by their number, velocities by n_z and their number
};

struct nsm_output {
  uint32_t output_class;
  uint32_t blocks[2];
  uint32_t contact;  // NSM_NONE: none
  const double* self;
};

// A stretch of equal steps of Moreau's rule, with SORprox, from the time t_first + first * dt on. Statistics are added
// to what is there.
struct nsm_run {
  const double* p;
  const double* block_self;
  const double* contact_self[2];
  const double* shared;  // as `prepare` left it
  double *q, *u;
  double* Lambda;     // percussions of the last step, contact after contact
  uint8_t* closed;    // by contact, in the last step
  double* gap_slack;  // by contact: how large the gap of a closed one may be by errors; 0 where open
  double t_first, dt;
  uint64_t first, steps;
  double tolerance;
  uint32_t most_sweeps;  // in a step, beyond which it is left to others
  uint32_t automatic;    // 1: also left to others if it converges slowly

  uint64_t steps_with_contact, closed_total, sweeps_total;
  uint32_t closed_max, sweeps_max;
  double worst_residual;
  uint64_t worst_step;     // steps from t_first to its end
  uint32_t worst_contact;  // NSM_NONE: no step with a contact yet
};

// How many of the steps were done. Fewer than asked for: the next one is not the common case (it does not converge in
// time, the masses are not positive definite, ...) and the state is that before it. 0 with everything untouched if the
// stretch ended in numbers that are not finite.
typedef uint64_t (*nsm_advance)(struct nsm_run* run);

struct nsm_model {
  uint32_t abi;                      // NSM_ABI
  uint32_t n_p, n_q, n_u, n_shared;  // n_q: of all blocks, and the signals behind them
  uint32_t n_z;
  uint32_t n_block_classes, n_blocks, n_element_classes, n_elements, n_contact_classes, n_contacts, n_observed;
  uint32_t n_output_classes, n_outputs;
  const struct nsm_block_class* block_classes;
  const struct nsm_block* blocks;
  const struct nsm_element_class* element_classes;
  const struct nsm_element* elements;
  const struct nsm_contact_class* contact_classes;
  const struct nsm_contact* contacts;
  const struct nsm_output_class* output_classes;
  const struct nsm_output* outputs;
  nsm_kernel
      prepare;  // once for each set of parameters, before any other: fills the constants in `shared`; may be null
  // out: n_observed recorded values; q[0], u[0] are the whole state, lambda the user's forces of all contacts, one
  // after another, and then the energy; may be null
  nsm_kernel observe;
  const uint32_t* signals;    // nsm_signal_kind, by signal
  nsm_kernel signal_rates;    // out: z' (n_z), 0 where it is not a state; reads the whole state, as `observe`, and in
                              // lambda the user's forces of all contacts if `rates_read_forces`; null: all 0
  nsm_kernel signal_initial;  // out: z (n_z) at the start, from p alone; null if there are none
  uint32_t rates_read_forces;
  uint32_t n_events;
  const struct nsm_event* events;  // in their order in the model
  nsm_advance advance;  // the step and the kernels as one program, for models that have one (runtime/small); or null
  uint32_t n_shapes, n_families;
  const struct nsm_shapes* shapes;
  const struct nsm_family* families;
};

enum { NSM_ABI = 12 };

}  // extern "C"

// Recorded columns: q with the signals, u, for each contact of `contacts` its gap (or its n_position positions) and its
// n_rows forces, the energy of all blocks and elements, what `observe` writes, then the values of every output. Then,
// counted on request only: for each of these contacts what it has dissipated, followed, if it has several laws, by what
// each of them has; the same for each family, all its contacts together; what dissipation functions have taken; what
// was supplied; and the rest, E(t) - E(0) + dissipated - supplied.
//
// Order of one evaluation at a state (t, q, u): dynamics, then forces of elements, then gap and position, then
// directions of the closed contacts, then arguments or zeta. A kernel may read from `shared` what an earlier kernel of
// the same evaluation wrote. All others (`kinematics`, energy, `initial`, the user's forces, outputs, `observe`) may be
// called at any time after `prepare`, read nothing but its constants, and leave the evaluation's values alone.
