// nsmc::Set: in goes the text of a set, out come its projection, gauge, support function and boundary. The text is that
// of the set in a law with `solve direct`, for a contact that is otherwise empty, so that all that a law knows of sets
// holds here. A set that is not convex stands in an output, by its gauge.
#include "nsmc/sets.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "compiler/api/model_impl.hpp"
#include "compiler/api/set_boundary.hpp"
#include "compiler/api/star_shape.hpp"
#include "compiler/mechanics/initial_values.hpp"
#include "nsmc/errors.hpp"
#include "runtime/evaluation/evaluation.hpp"
#include "runtime/sets/convex_set.hpp"
#include "runtime/sets/exposed_face.hpp"
#include "runtime/view.hpp"

namespace nsmc {
namespace {

constexpr const char* kSetDimension = "N0605";
constexpr const char* kNotConvex = "N0610";

// A model of as many coordinates as the set has dimensions. They are energies, so that forces are pure numbers. The
// text of the set stands at the end, so that messages about it do not speak of the rest.
std::string model_text(const std::string& set, const std::string& definitions, std::size_t dim, bool convex) {
  std::string coordinates, kinetic, slip, point;
  for (std::size_t i = 1; i <= dim; ++i) {
    coordinates += fmt::format("coord set_x{} [J]\n", i);
    kinetic += fmt::format("{}1/2*1 [s^2/J]*set_x{}'^2", i == 1 ? "" : " + ", i);
    slip += fmt::format("{}set_x{}'", i == 1 ? "" : ", ", i);
    point += fmt::format("{}set_x{}/1 [J]", i == 1 ? "" : ", ", i);
  }
  if (dim > 1) slip = "[" + slip + "]";
  if (!convex) {
    return fmt::format("{}\n{}kinetic {}\noutput set_gauge = gauge(set_of_text, [{}])\nset set_of_text = {}\n",
                       definitions, coordinates, kinetic, point, set);
  }
  return fmt::format(
      "{}\n{}kinetic {}\nlaw set_law {{\n  force set_T[dim(slip)]\n"
      "  slip in normal_cone(set_of_text, -set_T) solve direct\n}}\ncontact set_contact {{ slip {} law set_law }}\n"
      "set set_of_text = {}\n",
      definitions, coordinates, kinetic, slip, set);
}

bool has_error(const Model& model, const char* code) {
  const auto all = model.diagnostics();
  return std::any_of(all.begin(), all.end(), [&](const DiagnosticInfo& d) { return d.code == code; });
}

// Most sets are plane.
std::pair<Model, std::size_t> model_of(const std::string& set, const std::string& definitions,
                                       const ModelOptions& options) {
  std::optional<Model> model;
  std::size_t found = 0;
  for (const std::size_t dim : {2, 3, 1, 4, 5, 6}) {
    model = Model::from_text(model_text(set, definitions, dim, true), "set", options);
    found = dim;
    if (!has_error(*model, kSetDimension)) break;
  }
  return {*model, found};
}

}  // namespace

class Set::Impl {
 public:
  virtual ~Impl() = default;
  virtual std::size_t dim() const = 0;
  virtual bool convex() const = 0;
  virtual bool contains(std::span<const double> x) const = 0;
  virtual void prox(std::span<double> z) const = 0;
  virtual double gauge(std::span<const double> x) const = 0;
  virtual double support(std::span<const double> v) const = 0;
  virtual std::vector<std::vector<double>> boundary(int detail) const = 0;
};

namespace {

// The model that a set stands in, ready to evaluate.
class SetModel {
 public:
  explicit SetModel(Model from)
      : model_(std::move(from)),
        kernels_(*model_.impl().prepare({.settings = {{"until", 1}, {"step", 1}}})->kernels),
        system_(kernels_.table(), parameters()) {
    work_.emplace(system_);
    work_->prepare(system_);
  }

  const Model::Impl& model() const { return model_.impl(); }
  const rt::System& system() const { return system_; }
  rt::Workspace& work() { return *work_; }
  const rt::Workspace& work() const { return *work_; }
  std::vector<double> parameters() const {
    const Model::Impl& impl = model_.impl();
    return parameter_values(impl.pipeline.pool(), impl.good_equations(), impl.parameters.values());
  }

 private:
  Model model_;
  const Kernels& kernels_;
  rt::System system_;
  std::optional<rt::Workspace> work_;
};

class ConvexForm final : public Set::Impl {
 public:
  explicit ConvexForm(Model from) : model_(std::move(from)), contact_(model_.system().contacts()[0]) {
    const rt::System& system = model_.system();
    rt::Workspace& work = model_.work();
    const std::vector<double> zeros(system.n_u(), 0.0);
    const std::uint32_t which[] = {0};
    rt::evaluate_dynamics(system, work, 0, zeros.data(), zeros.data());
    rt::evaluate_directions(system, work, 0, zeros.data(), zeros.data(), which);
    const double* a = work.directions_of(contact_) + system.layout(contact_).a;
    arguments_.assign(a, a + contact_.type->n_arguments);
  }

  std::size_t dim() const override { return contact_.type->n_rows; }
  bool convex() const override { return true; }

  bool contains(std::span<const double> x) const override {
    bool inside = true;
    each([&](const rt::ConvexSet& K, std::size_t row) { inside = inside && K.contains(&x[row]); });
    return inside;
  }

  void prox(std::span<double> z) const override {
    each([&](const rt::ConvexSet& K, std::size_t row) { K.prox(&z[row]); });
  }

  double gauge(std::span<const double> x) const override {
    double largest = 0;
    each([&](const rt::ConvexSet& K, std::size_t row) { largest = std::max(largest, K.gauge(&x[row])); });
    return largest;
  }

  // Of a product it is the sum of those of its factors.
  double support(std::span<const double> v) const override {
    double sum = 0;
    each([&](const rt::ConvexSet& K, std::size_t row) {
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

  std::vector<std::vector<double>> boundary(int detail) const override {
    const Model::Impl& impl = model_.model();
    const std::lock_guard alone(impl.mutex);
    sym::ExprPool& pool = impl.pipeline.pool();
    const LawEquation& law = impl.equations->contacts[0].laws[0];
    const SetBoundary boundary(pool, law.A, law.sets);
    const std::vector<double> p = model_.parameters();
    std::vector<double> arguments;
    for (const sym::Expr e : boundary.arguments()) arguments.push_back(constant_value(pool, e, p));
    return boundary.points(pool, arguments, p, detail);
  }

 private:
  // f(set, its first row) for every factor of the product.
  template <class F>
  void each(const F& f) const {
    for (std::uint32_t j = 0; j < contact_.type->n_sets; ++j) {
      const nsm_set& set = contact_.type->sets[j];
      f(rt::ConvexSet{&set, arguments_.data()}, set.first_row);
    }
  }

  SetModel model_;
  const rt::ContactInfo& contact_;
  std::vector<double> arguments_;
};

class StarForm final : public Set::Impl {
 public:
  StarForm(Model from, std::size_t dim)
      : model_(std::move(from)), shape_(dim, [this](std::span<const double> x) { return value_at(x); }) {}

  std::size_t dim() const override { return shape_.dim(); }
  bool convex() const override { return false; }
  bool contains(std::span<const double> x) const override { return shape_.gauge(x) <= 1; }
  void prox(std::span<double> z) const override { shape_.nearest(z); }
  double gauge(std::span<const double> x) const override { return shape_.gauge(x); }
  double support(std::span<const double> v) const override { return shape_.support(v); }
  std::vector<std::vector<double>> boundary(int detail) const override { return shape_.boundary(detail); }

 private:
  // The only output of the model, where its coordinates are x. It reads what prepare() wrote, and writes nothing.
  double value_at(std::span<const double> x) const {
    const rt::System& system = model_.system();
    const std::vector<double> zeros(system.n_u() + 1, 0.0);
    nsm_view view = rt::view_at(system, const_cast<double*>(model_.work().shared.data()), 0);
    view.q[0] = x.data();
    view.u[0] = zeros.data();
    view.lambda = zeros.data();
    double value = 0;
    system.model().observe(&view, &value);
    return value;
  }

  SetModel model_;
  StarShape shape_;
};

void require(std::size_t given, std::size_t dim) {
  if (given != dim)
    throw SettingError("x", fmt::format("the set lies in R^{}, a point of {} components was given", dim, given));
}

}  // namespace

Set Set::from_text(const std::string& text, const std::string& definitions, const ModelOptions& options) {
  auto [model, dim] = model_of(text, definitions, options);
  if ((dim == 2 || dim == 3) && has_error(model, kNotConvex)) {
    Model star = Model::from_text(model_text(text, definitions, dim, false), "set", options);
    if (star.ok()) return Set(std::make_shared<const StarForm>(std::move(star), dim));
  }
  return Set(std::make_shared<const ConvexForm>(std::move(model)));
}

Set Set::from_model(const std::string& text, const Model& model) {
  const Model::Impl& impl = model.impl();
  impl.good_equations();
  std::string definitions;
  for (const ast::Model& file : impl.pipeline.parsed()->files) {
    for (const ast::Declaration& declaration : file.declarations) {
      if (!std::holds_alternative<ast::Param>(declaration.value) &&
          !std::holds_alternative<ast::Function>(declaration.value) &&
          !std::holds_alternative<ast::SetDefinition>(declaration.value))
        continue;
      const std::string& source = impl.pipeline.sources().file(file.file).text();
      definitions += source.substr(declaration.span.begin, declaration.span.end - declaration.span.begin) + "\n";
    }
  }
  return from_text(text, definitions, impl.options);
}

std::size_t Set::dim() const { return impl_->dim(); }

bool Set::convex() const { return impl_->convex(); }

bool Set::contains(std::span<const double> x) const {
  require(x.size(), dim());
  return impl_->contains(x);
}

void Set::prox(std::span<double> z) const {
  require(z.size(), dim());
  impl_->prox(z);
}

double Set::gauge(std::span<const double> x) const {
  require(x.size(), dim());
  return impl_->gauge(x);
}

double Set::support(std::span<const double> v) const {
  require(v.size(), dim());
  return impl_->support(v);
}

std::vector<std::vector<double>> Set::boundary(int detail) const {
  if (dim() > 3)
    throw SettingError("detail", fmt::format("boundaries are those of at most 3 dimensions, not {}", dim()));
  return impl_->boundary(detail);
}

}  // namespace nsmc
