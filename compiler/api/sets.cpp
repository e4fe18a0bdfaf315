// nsmc::Set: in goes the text of a set, out come its projection, gauge, support function and boundary. The text is that
// of the set in a law with `solve direct`, for a contact that is otherwise empty, so that all that a law knows of sets
// holds here.
#include "nsmc/sets.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compiler/api/model_impl.hpp"
#include "compiler/api/set_boundary.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "nsmc/errors.hpp"
#include "runtime/evaluation/evaluation.hpp"
#include "runtime/sets/convex_set.hpp"
#include "runtime/sets/exposed_face.hpp"

namespace nsmc {
namespace {

constexpr const char* kSetDimension = "N0605";

// A model of as many coordinates as the set has dimensions. They are energies, so that forces are pure numbers.
std::string model_text(const std::string& set, const std::string& definitions, std::size_t dim) {
  std::string coordinates, kinetic, slip;
  for (std::size_t i = 1; i <= dim; ++i) {
    coordinates += fmt::format("coord set_x{} [J]\n", i);
    kinetic += fmt::format("{}1/2*1 [s^2/J]*set_x{}'^2", i == 1 ? "" : " + ", i);
    slip += fmt::format("{}set_x{}'", i == 1 ? "" : ", ", i);
  }
  if (dim > 1) slip = "[" + slip + "]";
  return fmt::format(
      "{}\nset set_of_text = {}\n{}kinetic {}\nlaw set_law {{\n  force set_T[dim(slip)]\n"
      "  slip in normal_cone(set_of_text, -set_T) solve direct\n}}\ncontact set_contact {{ slip {} law set_law }}\n",
      definitions, set, coordinates, kinetic, slip);
}

bool has_other_dimension(const Model& model) {
  const auto all = model.diagnostics();
  return std::any_of(all.begin(), all.end(), [](const DiagnosticInfo& d) { return d.code == kSetDimension; });
}

// Most sets are plane.
Model model_of(const std::string& set, const std::string& definitions, const ModelOptions& options) {
  std::optional<Model> model;
  for (const std::size_t dim : {2, 3, 1, 4, 5, 6}) {
    model = Model::from_text(model_text(set, definitions, dim), "set", options);
    if (!has_other_dimension(*model)) break;
  }
  return *model;
}

}  // namespace

class Set::Impl {
 public:
  explicit Impl(Model from)
      : model_(std::move(from)),
        kernels_(*model_.impl().prepare({.settings = {{"until", 1}, {"step", 1}}})->kernels),
        system_(kernels_.table(), parameters()),
        contact_(system_.contacts()[0]) {
    rt::Workspace work(system_);
    work.prepare(system_);
    const std::vector<double> zeros(system_.n_u(), 0.0);
    const std::uint32_t which[] = {0};
    rt::evaluate_dynamics(system_, work, 0, zeros.data(), zeros.data());
    rt::evaluate_directions(system_, work, 0, zeros.data(), zeros.data(), which);
    const double* a = work.directions.data() + contact_.first_direction + system_.layout(contact_).a;
    arguments_.assign(a, a + contact_.type->n_arguments);
  }

  std::size_t dim() const { return contact_.type->n_rows; }

  // f(set, its first row) for every factor of the product.
  template <class F>
  void each(const F& f) const {
    for (std::uint32_t j = 0; j < contact_.type->n_sets; ++j) {
      const nsm_set& set = contact_.type->sets[j];
      f(rt::ConvexSet{&set, arguments_.data()}, set.first_row);
    }
  }

  std::vector<std::vector<double>> boundary(int detail) const {
    const Model::Impl& impl = model_.impl();
    const std::lock_guard alone(impl.mutex);
    sym::ExprPool& pool = impl.pipeline.pool();
    const LawEquation& law = impl.equations->contacts[0].laws[0];
    const SetBoundary boundary(pool, law.A, law.sets);
    const std::vector<double> p = parameters();
    std::vector<double> arguments;
    for (const sym::Expr e : boundary.arguments()) arguments.push_back(constant_value(pool, e, p));
    return boundary.points(pool, arguments, p, detail);
  }

 private:
  std::vector<double> parameters() const {
    const Model::Impl& impl = model_.impl();
    return parameter_values(impl.pipeline.pool(), impl.good_equations(), impl.parameters.values());
  }

  Model model_;
  const Kernels& kernels_;
  rt::System system_;
  const rt::ContactInfo& contact_;
  std::vector<double> arguments_;
};

namespace {

void require(std::size_t given, std::size_t dim) {
  if (given != dim)
    throw SettingError("x", fmt::format("the set lies in R^{}, a point of {} components was given", dim, given));
}

}  // namespace

Set Set::from_text(const std::string& text, const std::string& definitions, const ModelOptions& options) {
  return Set(std::make_shared<const Impl>(model_of(text, definitions, options)));
}

std::size_t Set::dim() const { return impl_->dim(); }

bool Set::contains(std::span<const double> x) const {
  require(x.size(), dim());
  bool inside = true;
  impl_->each([&](const rt::ConvexSet& K, std::size_t row) { inside = inside && K.contains(&x[row]); });
  return inside;
}

void Set::prox(std::span<double> z) const {
  require(z.size(), dim());
  impl_->each([&](const rt::ConvexSet& K, std::size_t row) { K.prox(&z[row]); });
}

double Set::gauge(std::span<const double> x) const {
  require(x.size(), dim());
  double largest = 0;
  impl_->each([&](const rt::ConvexSet& K, std::size_t row) { largest = std::max(largest, K.gauge(&x[row])); });
  return largest;
}

// Of a product it is the sum of those of its factors.
double Set::support(std::span<const double> v) const {
  require(v.size(), dim());
  double sum = 0;
  impl_->each([&](const rt::ConvexSet& K, std::size_t row) {
    const std::span<const double> direction = v.subspan(row, K.set->dim);
    if (std::all_of(direction.begin(), direction.end(), [](double d) { return d == 0; })) return;
    std::vector<double> x(K.set->dim);
    if (K.set->kind == NSM_SET_INTERVAL) {
      for (std::uint32_t k = 0; k < K.set->dim; ++k) x[k] = rt::exposed_end(K, k, direction[k] > 0);
    } else {
      rt::exposed_point(K, direction.data(), x.data());
    }
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (direction[k] != 0) sum += direction[k] * x[k];  // not 0 times infinity
    }
  });
  return sum;
}

std::vector<std::vector<double>> Set::boundary(int detail) const {
  if (dim() > 3)
    throw SettingError("detail", fmt::format("boundaries are those of at most 3 dimensions, not {}", dim()));
  return impl_->boundary(detail);
}

}  // namespace nsmc
