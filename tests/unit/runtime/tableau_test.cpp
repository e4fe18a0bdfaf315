// The tableaux of Runge-Kutta methods. A method is of order p exactly if for every rooted tree with up to p vertices
//     sum_i b_i Phi_i(tree) = 1/gamma(tree),
// with Phi_i([t_1 ... t_m]) = prod_k sum_j a_ij Phi_j(t_k) and gamma([t_1 ... t_m]) = n prod_k gamma(t_k), n the number
// of vertices (Butcher).
#include "runtime/methods/tableau.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace nsmc::rt;

namespace {

using Stages = std::array<double, max_stages>;

struct Tree {
  int vertices = 1;
  std::vector<std::size_t> branches;  // places of smaller trees in the list, ascending
};

// All rooted trees with up to n vertices, each once.
std::vector<Tree> trees(int n) {
  std::vector<Tree> all{{}};
  for (int vertices = 2; vertices <= n; ++vertices) {
    const std::size_t smaller = all.size();
    // Branches with vertices - 1 vertices together, in ascending order.
    std::vector<Tree> open{{}};
    while (!open.empty()) {
      const Tree tree = open.back();
      open.pop_back();
      if (tree.vertices == vertices) {
        all.push_back(tree);
        continue;
      }
      for (std::size_t k = tree.branches.empty() ? 0 : tree.branches.back(); k < smaller; ++k) {
        if (tree.vertices + all[k].vertices > vertices) continue;
        Tree larger = tree;
        larger.vertices += all[k].vertices;
        larger.branches.push_back(k);
        open.push_back(larger);
      }
    }
  }
  return all;
}

// The largest violation of the conditions of this order (and of no other).
double violation(const Tableau& tableau, const std::vector<Tree>& all, int order) {
  std::vector<Stages> phi;
  std::vector<double> gamma;
  double worst = 0;
  for (const Tree& tree : all) {
    Stages own{};
    double product = tree.vertices;
    for (int i = 0; i < tableau.stages; ++i) {
      own[i] = 1;
      for (const std::size_t k : tree.branches) {
        double sum = 0;
        for (int j = 0; j < tableau.stages; ++j) sum += tableau.a[i][j] * phi[k][j];
        own[i] *= sum;
      }
    }
    for (const std::size_t k : tree.branches) product *= gamma[k];
    phi.push_back(own);
    gamma.push_back(product);
    double sum = 0;
    for (int i = 0; i < tableau.stages; ++i) sum += tableau.b[i] * own[i];
    if (tree.vertices == order) worst = std::max(worst, std::abs(sum - 1 / product));
  }
  return worst;
}

}  // namespace

TEST_CASE("tableaux: the conditions of their orders hold, and those of the next order do not") {
  const std::vector<Tree> all = trees(6);
  REQUIRE(all.size() == 1 + 1 + 2 + 4 + 9 + 20);
  for (const Tableau& tableau : tableaux()) {
    CAPTURE(std::string(tableau.name));
    for (int order = 1; order <= tableau.order; ++order) CHECK(violation(tableau, all, order) < 1e-15);
    CHECK(violation(tableau, all, tableau.order + 1) > 1e-4);
  }
}

TEST_CASE("tableaux: explicit, from the beginning of the step, with weights that are not negative") {
  std::set<std::string_view> names;
  for (const Tableau& tableau : tableaux()) {
    CAPTURE(std::string(tableau.name));
    CHECK(find_tableau(tableau.name) == &tableau);
    names.insert(tableau.name);
    CHECK(tableau.stages <= max_stages);
    CHECK(tableau.c(0) == 0);
    for (int i = 0; i < tableau.stages; ++i) {
      CHECK(tableau.b[i] >= 0);
      CHECK(tableau.c(i) >= 0);
      CHECK(tableau.c(i) <= 1 + 1e-15);
      for (int j = i; j < max_stages; ++j) CHECK(tableau.a[i][j] == 0);
    }
  }
  CHECK(names.size() == tableaux().size());
  CHECK(find_tableau("rk5") == nullptr);
  CHECK(classical_tableau().name == "rk4");
}
