// Frictional contact problems in three dimensions as numbers alone, and their text format, that of Siconos (fc3d):
//
//     u = W r + q,    Coulomb cones of coefficients mu,    three components (n, t1, t2) for each contact.
//
// In the notation of nsmc: xi = u, G = W, Lambda = r, c = q. The text, separated by white space: 3, the number of
// contacts, storage, n, n; the matrix W, with storage 0 n, n and n*n values column by column, with storage 1 by blocks
// of 3 x 3 (number of blocks, block rows and columns, their cumulated sizes, lengths of the two index arrays, row
// pointers, block columns, then for each block its number and 9 values column by column); q; mu.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "runtime/solvers/contact_problem.hpp"
#include "runtime/system.hpp"

namespace nsmc::rt {

struct FrictionProblem {
  std::vector<GBlock> W;  // blocks of 3 x 3, sorted by row, then by column; those of the diagonal are there
  std::vector<double> q, mu;
};

// Nothing if the text is not of this format.
std::optional<FrictionProblem> read_friction_problem(std::istream& in);

// W by blocks, with as many digits as it takes to read the same numbers.
void write_friction_problem(std::ostream& out, const FrictionProblem& problem);

// Why contacts of a class are outside the format, empty if they are not: they must have one unilateral row and a disc
// of friction, and nothing else.
std::string outside_format(const nsm_contact_class& type);

// The problem of a step. Nothing if a contact of it is outside the format, or if its numbers are (a disc
// whose radius is not a multiple of the normal percussion).
std::optional<FrictionProblem> friction_problem_of(const ContactProblem& problem);

// A problem for the solvers of nsmc, with the numbers its sets point to.
class SolvableFriction {
 public:
  explicit SolvableFriction(const FrictionProblem& problem);
  SolvableFriction(const SolvableFriction&) = delete;  // `problem` points into `numbers_`
  SolvableFriction& operator=(const SolvableFriction&) = delete;

  ContactProblem problem;

 private:
  std::vector<double> numbers_;  // a, then K of each contact
};

// |r - P_K(r - u - mu |u_t| n)| / max(|q|, |r|, |u|), P_K the projection on the product of second-order cones: the
// error of a candidate r that publications use.
double cone_error(const FrictionProblem& problem, const std::vector<double>& r);

}  // namespace nsmc::rt
